package dev.weir.job.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.options.DsmOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.protocol.Json;
import dev.weir.protocol.PageRequest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.functions.async.CollectionSupplier;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operators that ask DSM, with a DSM that accepts connections and never answers. */
class AsksDsmTest {

    private ServerSocket silent;
    private DsmAccess access;
    private AsksDsm operator;

    @BeforeEach
    void listen() throws Exception {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        access = patient("http://127.0.0.1:" + silent.getLocalPort(), 2);
    }

    /** Waits for minutes for an answer, but not at all for a dataset that DSM does not know. */
    static DsmAccess patient(String url, int concurrency) {
        Configuration configuration = new Configuration();
        configuration.set(DsmOptions.URL, url);
        configuration.set(DsmOptions.REQUEST_TIMEOUT, Duration.ofMinutes(5));
        configuration.set(DsmOptions.RETRY_FOR, Duration.ofMinutes(5));
        configuration.set(DsmOptions.ABSENCE, Duration.ZERO);
        configuration.set(DsmOptions.CONCURRENCY, concurrency);
        return DsmAccess.of(configuration);
    }

    @AfterEach
    void stop() throws Exception {
        operator.close();
        silent.close();
    }

    private List<Inbound> ask(int messages, byte[] body) throws Exception {
        operator.open(new OpenContext() {});
        List<Inbound> answered = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < messages; i++) {
            operator.asyncInvoke(new Inbound(Kind.PAGE_REQUEST, 0, "q", 1, body, new byte[0]), new Answer(answered));
        }
        return List.copyOf(answered);
    }

    @Test
    void requestsBeyondTheLimitAreUnavailableAtOnceAndTheOperatorIsNeverFull() throws Exception {
        operator = new ReadPages(access);

        List<Inbound> answered = ask(access.capacity(), Json.write(new PageRequest("t", "d", 0, 10)));

        assertThat(answered).hasSizeBetween(1, access.capacity() - 1);
        assertThat(answered).allMatch(answer -> answer.kind() == Kind.PAGE_UNAVAILABLE);
        assertThat(new String(answered.get(0).answer(), StandardCharsets.UTF_8)).contains("wait for DSM");
    }

    @Test
    void tasksContinueWithTheirOwnUrlWhenTooManyWaitForTheirStorage() throws Exception {
        operator = new ResolveStorage(access);
        String task = """
                {"uid":"t","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"d","dat_out_uid":"o",
                 "dat_stor_id":"s","dat_stor_url":"file:///store","dat_out_url":"out"}""";

        List<Inbound> answered = ask(access.capacity(), task.getBytes(StandardCharsets.UTF_8));

        assertThat(answered).hasSizeBetween(1, access.capacity() - 1);
        assertThat(new String(answered.get(0).body(), StandardCharsets.UTF_8))
                .contains("file:///store")
                .doesNotContain("dat_stor_id");
    }

    /** Adds the answer to one message to all answers. Like Flink, it is a separate object for each message. */
    private static final class Answer implements ResultFuture<Inbound> {

        private final List<Inbound> all;

        Answer(List<Inbound> all) {
            this.all = all;
        }

        @Override
        public void complete(Collection<Inbound> result) {
            all.addAll(result);
        }

        @Override
        public void complete(CollectionSupplier<Inbound> supplier) {
            try {
                all.addAll(supplier.get());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void completeExceptionally(Throwable error) {
            throw new AssertionError(error);
        }
    }
}
