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

/** A log is the words of a stranger's program, and so is the address where it is. */
@Timeout(60)
class JobLogTest {

    private static final String SAID = "one\\r\\n\\u001b]0;owned\\u0007two\\n\\u009b2Jthree";

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

    private static String log(String url, long size, long from, String text) {
        return String.format(
                "{\"job_uid\": \"t.0\", \"file_log_url\": \"%s\", \"size\": %d, \"from\": %d, \"text\": \"%s\"}",
                url, size, from, text);
    }

    @Test
    void theGatewayIsAskedForTheTextAndNothingIsOpenedHere() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "SECRET");
        gateway.at("/job/t.0", 200, "{\"uid\": \"t.0\", \"file_log_url\": \"file://" + secret + "\"}")
                .at("/job/t.0/log", 200, log("file://" + secret, 3, 0, "all"));

        assertThat(gateway.weir(false, "job", "log", "t.0")).isEqualTo(new Said(0, "all", ""));
        assertThat(gateway.weir(true, "job", "log", "t.0", "--attempt", "2")).isEqualTo(new Said(0, "all\n", ""));
        assertThat(gateway.asked).containsExactly("GET /job/t.0/log", "GET /job/t.0/log?attempt=2");
    }

    @Test
    void aTerminalGetsNothingThatItWouldObeyAndAFileEverythingAsItIs() {
        gateway.at("/job/t.0/log", 200, log("file:///data/t.log", 30, 0, SAID));

        assertThat(gateway.weir(true, "job", "log", "t.0").out()).isEqualTo("one\n?]0;owned?two\n?2Jthree\n");
        assertThat(gateway.weir(false, "job", "log", "t.0").out())
                .isEqualTo("one\r\n\u001b]0;owned\u0007two\n\u009b2Jthree");
    }

    @Test
    void whenOnlyTheEndIsShownItIsSaidAsideWithTheAddressOfTheWhole() {
        gateway.at("/job/t.0/log", 200, log("https://store/\\u001b[2Jt.log", 300_000, 37_856, "the end"));

        Said said = gateway.weir(false, "job", "log", "t.0");

        assertThat(said.out()).isEqualTo("the end");
        assertThat(said.err())
                .isEqualTo("These are the last 262144 of 300000 bytes; the whole log is at https://store/?[2Jt.log\n");
    }

    @Test
    void inJsonItIsTheAnswerOfTheGateway() throws IOException {
        String answer = log("file:///data/t.log", 300_000, 37_856, SAID);
        gateway.at("/job/t.0/log", 200, answer);

        Said said = gateway.weir(true, "job", "log", "t.0", "--json");

        assertThat(GatewayClient.JSON.readTree(said.out())).isEqualTo(GatewayClient.JSON.readTree(answer));
        assertThat(said.err()).isEmpty();
    }

    @Test
    void aGatewayThatShowsNoLogsSaysWhy() {
        gateway.at(
                "/job/t.0/log",
                404,
                "{\"title\": \"Log not shown\", \"detail\": \"name a directory in weir.gateway.log-roots\"}");

        assertThat(gateway.weir(true, "job", "log", "t.0"))
                .isEqualTo(new Said(1, "", "name a directory in weir.gateway.log-roots\n"));
    }
}
