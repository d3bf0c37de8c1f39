package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others wrote does nothing to a terminal. */
@Timeout(60)
class ForeignTextTest {

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

    @Test
    void aRejectedMessageIsHarmlessOnATerminalAndWholeInAFile() {
        String message = "{\"uid\":\n \"\u001b[2Jx\u202e\"}";
        gateway.at("/rejected/m1", 200, message);

        assertThat(gateway.weir(true, "rejected", "show", "m1").out()).isEqualTo("{\"uid\":\n \"?[2Jx?\"}\n");
        assertThat(gateway.weir(false, "rejected", "show", "m1").out()).isEqualTo(message);
    }

    @Test
    void inJsonItIsEscapedAndMeansTheSame() throws IOException {
        String message = "\u001b[2J\u009b2J\u202e\u007f \u20ac \ud83d\ude00";
        gateway.at("/rejected/m1", 200, message);
        gateway.at(
                "/job/t.0",
                200,
                GatewayClient.JSON.createObjectNode().put("uid", message).toString());

        for (String shown : new String[] {
            gateway.weir(true, "rejected", "show", "m1", "--json").out(),
            gateway.weir(true, "job", "show", "t.0", "--json").out()
        }) {
            assertThat(shown.strip()).doesNotContainPattern("\\p{C}").contains("\\u009b2J", "\u20ac \ud83d\ude00");
            assertThat(GatewayClient.JSON.readTree(shown).elements().next().asText())
                    .isEqualTo(message);
        }
    }

    @Test
    void theReasonOfARefusalIsOneHarmlessLine() {
        gateway.at("/task/t1/paused", 409, "{\"detail\": \"is\\nnot \\u001b[2Jopen\"}");

        assertThat(gateway.change("task", "pause", "t1").out()).isEqualTo("task t1: ignored: is not ?[2Jopen\n");
    }
}
