package dev.weir.gateway.logs;

import dev.weir.protocol.Urls;
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
import javax.net.ssl.SSLHandshakeException;

/** Logs on web servers, without a password. Redirects are not followed: they would lead to addresses that no setting allows. */
final class LogFetch {

    private static final int LIMIT_SECONDS = 10;

    /** Of a server that gives no part of a file the whole is read. */
    private static final long MOST_BYTES_READ = 64L << 20;

    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(LIMIT_SECONDS))
            .build();

    /**
     * The end of what is there.
     *
     * @throws LogRefused when it cannot be had, also later
     * @throws IOException when it is not there ({@link NoSuchFileException}), or the storage does not answer now
     */
    LogTail tail(String url) throws LogRefused, IOException {
        HttpRequest request = request(url);
        Newest newest = new Newest();
        CompletableFuture<HttpResponse<Void>> coming =
                client.sendAsync(request, BodyHandlers.ofByteArrayConsumer(newest));
        try {
            return tail(url, coming.get(LIMIT_SECONDS, TimeUnit.SECONDS), newest);
        } catch (TimeoutException e) {
            throw new IOException("the storage did not give it within " + LIMIT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TooLong || e.getCause() instanceof SSLHandshakeException) {
                throw refused(url, e.getCause().getMessage());
            }
            throw new IOException("the storage did not give it: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while fetching it", e);
        } finally {
            coming.cancel(true);
        }
    }

    private static HttpRequest request(String url) throws LogRefused {
        try {
            return HttpRequest.newBuilder(URI.create(url))
                    .header("Range", "bytes=-" + LogTail.MOST_BYTES)
                    .build();
        } catch (IllegalArgumentException e) {
            throw refused(url, "this is no address: " + e.getMessage());
        }
    }

    private static LogRefused refused(String url, String why) {
        return new LogRefused("the log at " + Urls.withoutSecrets(url) + " cannot be read here: "
                + Urls.withoutSecrets(String.valueOf(why)) + "; fetch it with a program for that storage");
    }

    private static LogTail tail(String url, HttpResponse<?> answer, Newest newest) throws LogRefused, IOException {
        switch (answer.statusCode()) {
            case 200:
                return LogTail.of(newest.bytes(), newest.read());
            case 206:
                Matcher range = RANGE.matcher(
                        answer.headers().firstValue("Content-Range").orElse(""));
                if (range.matches() && Long.parseLong(range.group(2)) + 1 == Long.parseLong(range.group(3))) {
                    return LogTail.of(newest.bytes(), Math.max(newest.read(), Long.parseLong(range.group(3))));
                }
                throw refused(url, "the storage gave another part of it than its end");
            case 416:
                return LogTail.of(new byte[0], 0);
            case 404, 410:
                throw new NoSuchFileException(url);
            case 408, 425, 429:
                throw new IOException("the storage answers " + answer.statusCode());
            default:
                if (answer.statusCode() >= 500) {
                    throw new IOException("the storage answers " + answer.statusCode());
                }
                throw refused(
                        url,
                        "the storage answers " + answer.statusCode()
                                + ", and this gateway has no password for it and follows no redirects");
        }
    }

    private static final class TooLong extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooLong() {
            super("it has more than " + MOST_BYTES_READ + " bytes, and the storage gives no part of them");
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
                throw new TooLong();
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
