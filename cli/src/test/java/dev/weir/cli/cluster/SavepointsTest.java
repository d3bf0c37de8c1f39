package dev.weir.cli.cluster;

import static dev.weir.cli.http.TestAnswers.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Savepoints of a JobManager of the test's own, with one job. */
@Timeout(60)
class SavepointsTest {

    /** For a connection that is closed without an answer. */
    private static final int NONE = 0;

    private static final String PATH = "file:/weir/schedule/savepoint-1";

    private HttpServer server;
    private int statusAfterTheEnd;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        give("/jobs/overview", "{\"jobs\": [{\"jid\": \"j\", \"name\": \"weir schedule\", \"state\": \"RUNNING\"}]}");
        give(
                "/jobs/j/config",
                "{\"execution-config\": {\"user-config\": {\"checkpoint directory\": \"file:/weir/schedule\"}}}");
        give("/jobs/j/stop", "{\"request-id\": \"r\"}");
        give(
                "/jobs/j/savepoints/r",
                "{\"status\": {\"id\": \"COMPLETED\"}, \"operation\": {\"location\": \"" + PATH + "\"}}");
        server.createContext("/jobs/j", http -> {
            if (statusAfterTheEnd == NONE) {
                http.close();
            } else {
                answer(http, statusAfterTheEnd, "{\"state\": \"FINISHED\", \"errors\": [\"Job j not found\"]}");
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void give(String path, String answer) {
        server.createContext(path, http -> answer(http, 200, answer));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 404, NONE})
    void aJobThatNobodyKnowsOnceItsLastSavepointIsCompleteHasEnded(int status) throws IOException {
        statusAfterTheEnd = status;
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());

        assertThat(new Savepoints(new FlinkCluster(address)).make(true, Optional.empty(), Duration.ofSeconds(30)))
                .isEqualTo(Map.of("schedule", PATH));
    }

    @Test
    void aJobOfWhichItCannotBeSaidWhetherItHasEndedIsNoSuccess() {
        statusAfterTheEnd = 503;
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        Savepoints savepoints = new Savepoints(new FlinkCluster(address));

        assertThatThrownBy(() -> savepoints.make(true, Optional.empty(), Duration.ofSeconds(30)))
                .isInstanceOf(IOException.class);
    }
}
