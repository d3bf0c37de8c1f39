package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FlinkRestTest {

    @Test
    void anAnswerThatStopsInItsMiddleIsGivenUp() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", http -> http.sendResponseHeaders(200, 100));
        server.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
            FlinkRest flink = new FlinkRest(address);

            assertThatThrownBy(() -> flink.post("jobs", FlinkRest.JSON.createObjectNode(), Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Flink at " + address + "/ has not answered POST /jobs")
                    .hasMessageContaining("no whole answer within 1.0 s");
        } finally {
            server.stop(0);
        }
    }
}
