package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.client.StubGateway.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command about several things says of each what came of it. */
@Timeout(60)
class ChangingTest {

    @TempDir
    Path directory;

    private StubGateway gateway;

    @BeforeEach
    void start() throws IOException {
        gateway = new StubGateway(directory);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 503})
    void afterAFailureThatOthersWouldMeetTheRestIsSaidToBeNotSent(int status) {
        gateway.at("/task/a/paused", 200, "{}").at("/task/b/paused", status, "{\"detail\": \"not now\"}");

        Said said = gateway.change("task", "pause", "a", "b", "c", "d");

        assertThat(said)
                .isEqualTo(new Said(
                        1, "task a: applied\ntask b: failed\ntask c: not sent\ntask d: not sent\n", "not now\n"));
        assertThat(gateway.asked).hasSize(2);
    }

    @Test
    void inJsonTheReasonIsInItsLine() {
        gateway.at("/pool/a/paused", 503, "{\"detail\": \"not now\"}");

        assertThat(gateway.change("pools", "pause", "a", "b", "--json").out())
                .isEqualTo("{\"about\":\"pool a\",\"outcome\":\"failed\",\"reason\":\"not now\"}\n"
                        + "{\"about\":\"pool b\",\"outcome\":\"not sent\"}\n");
    }

    @Test
    void whatIsIgnoredOrRefusedStopsNothing() {
        gateway.at("/task/a/paused", 409, "{\"detail\": \"it is closed\"}").at("/task/c/paused", 200, "{}");

        assertThat(gateway.change("task", "pause", "a", "b", "c"))
                .isEqualTo(new Said(
                        1, "task a: ignored: it is closed\ntask b: refused: there is nothing\ntask c: applied\n", ""));
    }

    @Test
    void anOrderAboutANodeIsForThosePilotsThatItFindsAndSaysHowManyItLeavesOut() {
        gateway.at("/pilot", 200, """
                        {"data": [{"pilot_id": "a", "state": "busy"}, {"pilot_id": "b", "state": "lost"}, {"pilot_id": "c", "state": "ended"},
                         {"pilot_id": "d", "state": "lost", "kept_out": "excluded"}]}""").at("/pilot/a/included", 200, "{}").at("/pilot/d/included", 200, "{}");

        assertThat(gateway.change("pilots", "include", "--host", "node7"))
                .isEqualTo(new Said(
                        0,
                        "pilot a: applied\npilot d: applied\n",
                        "left out, because they are lost or have ended: 2 of 4 pilots of node node7\n"));
    }

    @Test
    void ofTasksInFilesEachThatWasNotSentIsNamed() throws IOException {
        gateway.at("/task", 503, "{\"detail\": \"not now\"}");
        Path first = Files.writeString(directory.resolve("first"), "{\"uid\": \"t1\"} {\"uid\": \"t2\"}");
        Path second = Files.writeString(directory.resolve("second"), "[{\"uid\": \"t3\"}, {}]");

        Said said = gateway.change("task", "send", first.toString(), second.toString());

        assertThat(said)
                .isEqualTo(new Said(
                        1,
                        "task t1: failed\ntask t2: not sent\ntask t3: not sent\ntask 2 of " + second + ": not sent\n",
                        "not now\n"));
    }

    @Test
    void afterAMistakeInAFileTheTasksOfTheNextAreSaidToBeNotSent() throws IOException {
        gateway.at("/task", 200, "{}");
        Path first = Files.writeString(directory.resolve("first"), "{\"uid\": \"t1\"} {\"uid\"; ");
        Path second = Files.writeString(directory.resolve("second"), "{\"uid\": \"t2\"}");

        Said said = gateway.change("task", "send", first.toString(), second.toString());

        assertThat(said.out()).isEqualTo("task t1: applied\ntask t2: not sent\n");
        assertThat(said.err()).contains("is not JSON after its first 1 tasks");
        assertThat(said.exit()).isEqualTo(1);
    }

    @Test
    void whatStandsAfterAnArrayOfTasksIsSentToo() throws IOException {
        gateway.at("/task", 200, "{}");
        Path file = Files.writeString(
                directory.resolve("file"), "[{\"uid\": \"t1\"}] [{\"uid\": \"t2\"}] {\"uid\": \"t3\"} ]");

        Said said = gateway.change("task", "send", file.toString());

        assertThat(said.out()).isEqualTo("task t1: applied\ntask t2: applied\ntask t3: applied\n");
        assertThat(said.err()).contains("is not JSON after its first 3 tasks");
        assertThat(said.exit()).isEqualTo(1);
    }
}
