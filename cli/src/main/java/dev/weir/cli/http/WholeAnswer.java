package dev.weir.cli.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for all of an answer. The time limit of {@link HttpRequest} ends with its head, and the rest may never come. */
public final class WholeAnswer {

    private WholeAnswer() {}

    /**
     * Sends a request. Its connection is closed when the wait is over or interrupted.
     *
     * @param longest from now until the last byte
     */
    public static <T> HttpResponse<T> to(HttpClient http, HttpRequest request, BodyHandler<T> body, Duration longest)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> coming = http.sendAsync(request, body);
        try {
            return coming.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no whole answer within " + longest.toMillis() / 1000.0 + " s");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? io
                    : new IOException(e.getCause().toString(), e.getCause());
        } finally {
            coming.cancel(true);
        }
    }
}
