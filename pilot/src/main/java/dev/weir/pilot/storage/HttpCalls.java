package dev.weir.pilot.storage;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;

/** Single requests and their answers; redirects are answers. */
final class HttpCalls {

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Up to the answer's head; the body's time is bounded by the pilot's transfer time-out. */
    private static final Duration ANSWER = Duration.ofMinutes(10);

    /** Made at the first use, because a pilot that only serves files never needs it. */
    private HttpClient client;

    /** The caller closes the body. */
    HttpResponse<InputStream> get(URI uri) throws IOException, InterruptedException {
        return client().send(request(uri).GET().build(), BodyHandlers.ofInputStream());
    }

    HttpResponse<Void> put(URI uri, Path source, long bytes) throws IOException, InterruptedException {
        HttpRequest request = request(uri)
                .header("Content-Type", "application/octet-stream")
                .PUT(bytes == 0 ? BodyPublishers.noBody() : BodyPublishers.ofFile(source))
                .build();
        return client().send(request, BodyHandlers.discarding());
    }

    /** The length that it gives is that of the plain file. */
    HttpResponse<Void> head(URI uri) throws IOException, InterruptedException {
        HttpRequest request = request(uri)
                .header("Accept-Encoding", "identity")
                .method("HEAD", BodyPublishers.noBody())
                .build();
        return client().send(request, BodyHandlers.discarding());
    }

    private static HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(ANSWER);
    }

    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpClient.newBuilder()
                    .connectTimeout(CONNECT)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
        }
        return client;
    }
}
