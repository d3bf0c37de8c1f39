package dev.weir.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.weir.protocol.FileInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AuditTest {

    private final DemoTask task = TestTasks.task("count", 3, 1);

    @Test
    void anOutputOrLogsWithoutOneAreOneOutcomeOfAFile() throws IOException {
        Outcome outcome = audit(
                List.of(file("j1", "a.0.1.out"), file("j2", "b.1.2.out")),
                List.of(
                        file("j1", "a.0.1.log"),
                        file("j2", "b.1.2.log"),
                        file("j3", "c.2.1.log"),
                        file("j3", "c.2.2.log")));

        assertThat(outcome).isEqualTo(new Outcome(2, 1, 0, 0, List.of()));
        assertThat(outcome.isSound()).isTrue();
    }

    @Test
    void aFileWithoutAnyTraceIsLost() throws IOException {
        Outcome outcome = audit(List.of(file("j1", "a.0.1.out")), List.of(file("j2", "b.1.1.log")));
        assertThat(outcome.lost()).isEqualTo(1);
        assertThat(outcome.isSound()).isFalse();
    }

    @Test
    void twoOutputsOfOneJobAreADuplicate() throws IOException {
        Outcome outcome = audit(
                List.of(file("j1", "a.0.1.out"), file("j1", "a.0.2.out"), file("j2", "b.out"), file("j3", "c.out")),
                List.of());
        assertThat(outcome.duplicates()).isEqualTo(1);
        assertThat(outcome.finished()).isEqualTo(3);
    }

    @Test
    void moreJobsThanFilesAreDuplicates() throws IOException {
        Outcome outcome = audit(List.of(file("j1", "a"), file("j2", "b"), file("j3", "c"), file("j4", "d")), List.of());
        assertThat(outcome.duplicates()).isEqualTo(1);
    }

    @Test
    void anOutputThatOnlyTheCatalogueKnowsIsMissingAndItsFileLost() throws IOException {
        Outcome outcome =
                audit(List.of(file("j1", "a.0.1.out"), file("j2", "b.1.1.out"), file("j3", "gone")), List.of());
        assertThat(outcome.missing()).containsExactly("file:///data/out/count/j3/gone");
        assertThat(outcome.lost()).isEqualTo(1);
    }

    @Test
    void anUnansweredRequestIsRepeated() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (Served dsm = new Served(exchange -> {
            if (requests.incrementAndGet() > 3) {
                byte[] page = "{\"total\": 0, \"data\": []}".getBytes(UTF_8);
                exchange.sendResponseHeaders(200, page.length);
                exchange.getResponseBody().write(page);
            }
            exchange.close();
        })) {
            assertThat(new Audit(dsm.uri()).of(task, true).lost()).isEqualTo(3);
        }
        assertThat(requests).hasValueGreaterThan(3);
    }

    @Test
    void anAnswerThatStopsInItsMiddleIsGivenUpAndAskedForAgain() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (Served dsm = new Served(exchange -> {
            byte[] page = "{\"total\": 0, \"data\": []}".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            if (requests.incrementAndGet() > 1) {
                exchange.getResponseBody().write(page);
                exchange.close();
            }
        })) {
            assertThat(new Audit(dsm.uri(), Duration.ofSeconds(1))
                            .of(task, true)
                            .lost())
                    .isEqualTo(3);
        }
        assertThat(requests).hasValue(3);
    }

    @Test
    void theErrorNamesADsmThatNeverAnswersAndTheRequest() throws Exception {
        try (Served dsm = new Served(HttpExchange::close)) {
            assertThatThrownBy(() -> new Audit(dsm.uri()).of(task, true))
                    .hasMessageContainingAll("DSM does not answer " + dsm.uri() + "dataset/", "asked 5 times");
        }
    }

    /** A DSM with prepared answers. */
    private record Served(HttpServer server) implements AutoCloseable {
        Served(HttpHandler handler) throws IOException {
            this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
            server.createContext("/", handler);
            server.start();
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    private Outcome audit(List<FileInfo> outputs, List<FileInfo> logs) throws IOException {
        return Audit.outcome(task, outputs, logs, file -> !file.name().equals("gone"));
    }

    private static FileInfo file(String job, String name) {
        return new FileInfo(name, "file:///data", "out/count/" + job, 5L, null, null, null, null);
    }
}
