package dev.weir.pilot.storage;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** Single requests and their answers; redirects are answers. */
final class HttpCalls {

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Longest time in which nothing moves; the pilot's transfer time-out bounds the whole. */
    static final Duration SILENCE = Duration.ofMinutes(10);

    private final Duration silence;

    /** Made at the first use, because a pilot that only serves files never needs it. */
    private HttpClient client;

    HttpCalls(Duration silence) {
        this.silence = silence;
    }

    /** The caller closes the body, which is to be {@link #watched}. */
    HttpResponse<InputStream> get(URI uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri).GET().build();
        return send(request, BodyHandlers.ofInputStream(), () -> 0);
    }

    InputStream watched(InputStream body) {
        return new WatchedBody(body, silence);
    }

    HttpResponse<Void> put(URI uri, Path source, long bytes) throws IOException, InterruptedException {
        try (SentFile file = new SentFile(source, bytes)) {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Content-Type", "application/octet-stream")
                    .PUT(file.body())
                    .build();
            return send(request, BodyHandlers.discarding(), file::sent);
        }
    }

    /** The length that it gives is that of the plain file. */
    HttpResponse<Void> head(URI uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Accept-Encoding", "identity")
                .method("HEAD", BodyPublishers.noBody())
                .build();
        return send(request, BodyHandlers.discarding(), () -> 0);
    }

    /** The client's own time-out would bound the whole upload, so progress is watched here. */
    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler, LongSupplier sent)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = client().sendAsync(request, handler);
        try {
            long before = -1;
            for (long now = sent.getAsLong(); now != before; now = sent.getAsLong()) {
                before = now;
                try {
                    return answer.get(silence.toMillis(), TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    // Goes on as long as something moves.
                }
            }
            throw new HttpTimeoutException("nothing moved for " + silence.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
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
