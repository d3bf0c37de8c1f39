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
    void theReasonOfARefusalIsOneHarmlessLine() {
        gateway.at("/task/t1/paused", 409, "{\"detail\": \"is\\nnot \\u001b[2Jopen\"}");

        assertThat(gateway.change("task", "pause", "t1").out()).isEqualTo("task t1: ignored: is not ?[2Jopen\n");
    }
}
