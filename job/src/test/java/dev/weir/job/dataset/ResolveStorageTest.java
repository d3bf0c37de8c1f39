package dev.weir.job.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.job.options.DsmOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.protocol.Json;
import dev.weir.protocol.Task;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.functions.async.CollectionSupplier;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a task with a storage id when DSM answers. */
class ResolveStorageTest {

    private static final String OWN = "file:///store";

    private HttpServer dsm;
    private ResolveStorage operator;
    private volatile String url;

    @BeforeEach
    void open() throws Exception {
        dsm = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        dsm.createContext("/storage/", exchange -> {
            byte[] answer = Json.mapper().writeValueAsBytes(Map.of("url", url));
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        dsm.start();
        Configuration configuration = new Configuration();
        configuration.set(DsmOptions.URL, "http://127.0.0.1:" + dsm.getAddress().getPort());
        operator = new ResolveStorage(DsmAccess.of(configuration));
        operator.open(new OpenContext() {});
    }

    @AfterEach
    void close() {
        operator.close();
        dsm.stop(0);
    }

    private Task resolved(String answered) throws Exception {
        url = answered;
        String task = """
                {"uid":"t","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"d","dat_out_uid":"o",
                 "dat_stor_id":"s","dat_stor_url":"%s","dat_out_url":"out"}""".formatted(OWN);
        Answer answer = new Answer();
        operator.asyncInvoke(
                new Inbound(Kind.TASK, 0, "q", 1, task.getBytes(StandardCharsets.UTF_8), new byte[0]), answer);
        Inbound out = answer.message.get(30, TimeUnit.SECONDS);
        return Json.mapper().readValue(out.body(), Task.class);
    }

    @Test
    void aTaskWritesToTheUrlThatDsmGives() throws Exception {
        Task task = resolved("https://store.example/spd");

        assertThat(task.datStorUrl()).isEqualTo("https://store.example/spd");
        assertThat(task.datStorId()).isEqualTo("s");
    }

    static String[] unusable() {
        return new String[] {
            "/data/storage", "file:///data/my storage", "file:///" + "x".repeat(4096), "file:///data/../other"
        };
    }

    /** With it the task would be taken, and each of its files would fail for a day; or it would be refused without a word to its sender. */
    @ParameterizedTest
    @MethodSource("unusable")
    void aTaskContinuesWithItsOwnUrlWhenNoTaskMayHaveTheOneThatDsmGives(String answered) throws Exception {
        Task task = resolved(answered);

        assertThat(task.datStorUrl()).isEqualTo(OWN);
        assertThat(task.datStorId()).isNull();
    }

    private static final class Answer implements ResultFuture<Inbound> {

        private final CompletableFuture<Inbound> message = new CompletableFuture<>();

        @Override
        public void complete(Collection<Inbound> result) {
            message.complete(result.iterator().next());
        }

        @Override
        public void complete(CollectionSupplier<Inbound> supplier) {
            try {
                complete(supplier.get());
            } catch (Exception e) {
                message.completeExceptionally(e);
            }
        }

        @Override
        public void completeExceptionally(Throwable error) {
            message.completeExceptionally(error);
        }
    }
}
