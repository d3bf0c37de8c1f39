package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobLogTest {

    @TempDir
    Path directory;

    private static String read(String url) throws IOException {
        try (InputStream log = JobLogCommand.open(url)) {
            return new String(log.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "run 1#2.log, run 1#2.log",
        "100%.log, 100%.log",
        "a%20b.log, a%20b.log",
        "a%20b.log, a b.log",
        "what?.log, what?.log",
    })
    void theNameOfAFileIsReadAsItStandsAndWithItsEscapesDecodedIfThereIsNone(String inUrl, String name)
            throws IOException {
        Files.writeString(directory.resolve(name), "said");

        assertThat(read("file://" + directory + "/" + inUrl)).isEqualTo("said");
        assertThat(read("file://localhost" + directory + "/" + inUrl)).isEqualTo("said");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> read("file://" + directory + "/none%zz"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("none%zz");
    }

    @Test
    void aNameAtAWebServerIsEscaped() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] path = exchange.getRequestURI().getRawPath().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, path.length);
            exchange.getResponseBody().write(path);
            exchange.close();
        });
        server.start();
        try {
            assertThat(read("http://127.0.0.1:" + server.getAddress().getPort() + "/logs/run 1#2?%.log"))
                    .isEqualTo("/logs/run%201%232%3F%25.log");
        } finally {
            server.stop(0);
        }
    }
}
