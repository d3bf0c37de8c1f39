package dev.weir.gateway.logs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Logs on web servers, without a password. Redirects are not followed: they would lead to where nobody allowed to read. */
final class LogFetch {

    private static final int LIMIT_SECONDS = 10;

    /** Of a server that gives no part of a file the whole is read. */
    private static final long MOST_BYTES_READ = 64L << 20;

    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(LIMIT_SECONDS))
            .build();

    LogTail tail(String url) throws IOException {
        HttpRequest request = request(url);
        Newest newest = new Newest();
        CompletableFuture<HttpResponse<Void>> coming =
                client.sendAsync(request, BodyHandlers.ofByteArrayConsumer(newest));
        try {
            return tail(url, coming.get(LIMIT_SECONDS, TimeUnit.SECONDS), newest);
        } catch (TimeoutException e) {
            throw new IOException("the storage did not give " + url + " within " + LIMIT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("the storage did not give " + url + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while fetching " + url, e);
        } finally {
            coming.cancel(true);
        }
    }

    private static HttpRequest request(String url) throws IOException {
        try {
            return HttpRequest.newBuilder(URI.create(url))
                    .header("Range", "bytes=-" + LogTail.MOST_BYTES)
                    .build();
        } catch (IllegalArgumentException e) {
            throw new IOException(url + " is no address: " + e.getMessage(), e);
        }
    }

    private static LogTail tail(String url, HttpResponse<?> answer, Newest newest) throws IOException {
        switch (answer.statusCode()) {
            case 200:
                return LogTail.of(newest.bytes(), newest.read());
            case 206:
                Matcher range = RANGE.matcher(
                        answer.headers().firstValue("Content-Range").orElse(""));
                if (range.matches() && Long.parseLong(range.group(2)) + 1 == Long.parseLong(range.group(3))) {
                    return LogTail.of(newest.bytes(), Math.max(newest.read(), Long.parseLong(range.group(3))));
                }
                throw new IOException("the storage gave another part of " + url + " than its end");
            case 416:
                return LogTail.of(new byte[0], 0);
            case 404, 410:
                throw new NoSuchFileException(url);
            default:
                throw new IOException("the storage answers " + answer.statusCode() + " for " + url);
        }
    }

    /** Keeps the newest bytes of all that come, in a ring. */
    private static final class Newest implements java.util.function.Consumer<Optional<byte[]>> {

        private final byte[] ring = new byte[LogTail.MOST_BYTES];
        private long read;

        @Override
        public void accept(Optional<byte[]> part) {
            byte[] bytes = part.orElse(new byte[0]);
            int skipped = Math.max(0, bytes.length - ring.length);
            for (int i = skipped; i < bytes.length; i++) {
                ring[(int) ((read + i) % ring.length)] = bytes[i];
            }
            read += bytes.length;
            if (read > MOST_BYTES_READ) {
                throw new IllegalStateException(
                        "it has more than " + MOST_BYTES_READ + " bytes, and gives no part of them");
            }
        }

        long read() {
            return read;
        }

        byte[] bytes() {
            byte[] bytes = new byte[(int) Math.min(read, ring.length)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = ring[(int) ((read - bytes.length + i) % ring.length)];
            }
            return bytes;
        }
    }
}
