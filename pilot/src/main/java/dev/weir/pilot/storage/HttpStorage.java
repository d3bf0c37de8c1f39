package dev.weir.pilot.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;

/**
 * {@code http} and {@code https} URLs: GET to fetch, PUT to store. A PUT is the server's to make visible as a whole; it is safe to
 * repeat. A GET brings the whole file with 200 only. Answers 408, 429 and 5xx are tried again, other refusals are not.
 */
final class HttpStorage implements Storage {

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Up to the answer's head; the body's time is bounded by the pilot's transfer time-out. */
    private static final Duration ANSWER = Duration.ofMinutes(10);

    /** Other answers below 300 bring a part of the file, none, or something else (206, 204, 202). */
    private static final int OK = 200;

    private static final int BUFFER_BYTES = 64 << 10;

    /** Made at the first use, because a pilot that only serves files never needs it. */
    private HttpClient client;

    @Override
    public Set<String> schemes() {
        return Set.of("http", "https");
    }

    @Override
    public void fetch(String url, Path target, long maxBytes) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri(url)).timeout(ANSWER).GET().build();
        HttpResponse<InputStream> answer = client().send(request, BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            check("GET", url, answer.statusCode());
            if (answer.statusCode() != OK) {
                throw new RefusedException("GET " + url + " was answered with " + answer.statusCode()
                        + ", which does not bring the whole file; " + OK + " does");
            }
            long announced = answer.headers().firstValueAsLong("content-length").orElse(0);
            if (announced > maxBytes) {
                throw new RefusedException(url + " has " + announced + " bytes; at most " + maxBytes + " are expected");
            }
            try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
                copy(url, body, out, maxBytes);
            }
        }
    }

    @Override
    public void store(Path source, String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(url))
                .timeout(ANSWER)
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofFile(source))
                .build();
        check("PUT", url, client().send(request, BodyHandlers.discarding()).statusCode());
    }

    private static void copy(String url, InputStream from, OutputStream to, long maxBytes)
            throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long total = 0;
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            total += read;
            if (total > maxBytes) {
                throw new RefusedException(url + " has more than the expected " + maxBytes + " bytes");
            }
            to.write(buffer, 0, read);
            if (Thread.interrupted()) {
                throw new InterruptedException("stopped after " + total + " bytes of " + url);
            }
        }
    }

    private static void check(String method, String url, int status) throws IOException {
        if (status >= 200 && status < 300) {
            return;
        }
        String message = method + " " + url + " was answered with " + status;
        boolean mayPass = status == 408 || status == 429 || status >= 500;
        throw mayPass ? new IOException(message) : new RefusedException(message);
    }

    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpClient.newBuilder()
                    .connectTimeout(CONNECT)
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
        }
        return client;
    }

    /**
     * The URL with everything in its path escaped that may not stand there. Weir joins plain names to a storage's URL, so {@code #}
     * and {@code ?} belong to a name and begin no fragment or query. Escapes that are there already stay.
     */
    static URI uri(String url) throws RefusedException {
        int authority = url.indexOf("://") + 3;
        int path = authority < 3 ? -1 : url.indexOf('/', authority);
        int from = path < 0 ? url.length() : path;
        try {
            URI uri = new URI(url.substring(0, from) + escaped(url.substring(from)));
            if (uri.getHost() == null) {
                throw new RefusedException(url + " names no host");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new RefusedException(url + " is not a URL: " + e.getMessage(), e);
        }
    }

    private static String escaped(String path) {
        StringBuilder text = new StringBuilder();
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~:/@!$&'()*+,;=".indexOf(c) >= 0);
            boolean escape = c == '%' && i + 2 < bytes.length && isHex(bytes[i + 1]) && isHex(bytes[i + 2]);
            if (plain || escape) {
                text.append(c);
            } else {
                text.append('%').append(String.format("%02X", (int) c));
            }
        }
        return text.toString();
    }

    private static boolean isHex(byte b) {
        return Character.digit(b, 16) >= 0;
    }
}
