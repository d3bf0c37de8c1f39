package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway and a source whose answers have a head and no end, or too many bytes. */
@Timeout(60)
class CutAnswerTest {

    private static final Duration SHORT = Duration.ofSeconds(1);

    private HttpServer server;
    private URI address;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", http -> {
            http.sendResponseHeaders(200, 100);
            http.getResponseBody().write("[\"a\"".getBytes(StandardCharsets.UTF_8));
            http.getResponseBody().flush();
        });
        server.createContext("/long", http -> {
            http.sendResponseHeaders(200, 0);
            byte[] part = new byte[1 << 20];
            try (http) {
                for (int i = 0; i <= 32; i++) {
                    http.getResponseBody().write(part);
                }
            }
        });
        server.start();
        address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void anAnswerOfTheGatewayThatStopsInItsMiddleIsGivenUp() throws IOException {
        Access access = new Access(address, "t");
        GatewayClient gateway = new GatewayClient(() -> access, SHORT);

        assertThatThrownBy(() -> gateway.get("whoami", Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no whole answer within 1.0 s");
    }

    @Test
    void anAnswerOfTheSourceThatStopsInItsMiddleIsGivenUpAndMayBeAskedForAgain() throws IOException {
        FeedSource source = new FeedSource(address.resolve("cut"), null, SHORT);

        assertThatThrownBy(() -> source.next(1))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(FeedSource.Wrong.class)
                .hasMessageContaining("no whole answer within 1.0 s");
    }

    @Test
    void anAnswerOfTheSourceThatIsTooLongIsWrong() throws IOException {
        FeedSource source = new FeedSource(address.resolve("long"), null);

        assertThatThrownBy(() -> source.next(1))
                .isInstanceOf(FeedSource.Wrong.class)
                .hasMessageContaining("more than 33554432 bytes");
    }
}
