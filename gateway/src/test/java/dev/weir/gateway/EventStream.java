package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A client of {@code GET /events}. */
final class EventStream implements AutoCloseable {

    final int status;
    private final InputStream body;
    private final BufferedReader lines;

    private EventStream(HttpResponse<InputStream> response) {
        status = response.statusCode();
        body = response.body();
        lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** Returns when the gateway has begun to tell. */
    static EventStream open(URI gateway, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(gateway.resolve("/events?seconds=60"))
                .setHeader("Authorization", "Bearer " + token)
                .build();
        EventStream stream = new EventStream(HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream()));
        if (stream.status == 200) {
            assertThat(stream.lines.readLine()).isEqualTo(": keep-alive");
        }
        return stream;
    }

    /** The next line of data with a text in it; fails at the end of the stream. */
    String await(String text) throws IOException {
        String line;
        while ((line = lines.readLine()) != null) {
            if (line.startsWith("data: ") && line.contains(text)) {
                return line.substring("data: ".length());
            }
        }
        throw new AssertionError("the stream ended before " + text);
    }

    /** Whether it ends by itself. */
    void awaitEnd() throws IOException {
        while (lines.readLine() != null) {
            // What comes before the end.
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
