package dev.weir.pilot.storage;

import dev.weir.protocol.Urls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;

/**
 * {@code http} and {@code https} URLs: GET to fetch, PUT to store. A PUT is the server's to make visible as a whole; it is safe to
 * repeat. A file counts as stored only after 200, 201 or 204, and if HEAD, where the server offers it, gives the length that was
 * sent. A GET brings the whole file with 200 only. Answers 408, 429 and 5xx are tried again, other refusals are not.
 */
final class HttpStorage implements Storage {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int NOT_OFFERED = 501;

    /** Others below 300 promise something else: 202 that it may be stored some day, 207 that the answer says more. */
    private static final Set<Integer> STORED = Set.of(OK, 201, 204);

    private static final Set<Integer> GET_GOES_ON = Set.of(301, 302, 303, 307, 308);

    /** The others make a GET of a PUT, as a login page wants it. */
    private static final Set<Integer> PUT_GOES_ON = Set.of(307, 308);

    private static final int BUFFER_BYTES = 64 << 10;

    private final HttpHosts hosts;
    private final HttpCalls calls;

    HttpStorage(HttpHosts hosts) {
        this(hosts, HttpCalls.SILENCE);
    }

    /** @param silence after it a request in which nothing moves has failed */
    HttpStorage(HttpHosts hosts, Duration silence) {
        this.hosts = hosts;
        this.calls = new HttpCalls(silence);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("http", "https");
    }

    @Override
    public void fetch(String url, Path target, long maxBytes) throws IOException, InterruptedException {
        HttpRedirects at = new HttpRedirects("GET", url, uri(url), true, hosts);
        while (true) {
            HttpResponse<InputStream> answer = calls.get(at.uri());
            try (InputStream body = calls.watched(answer.body())) {
                if (GET_GOES_ON.contains(answer.statusCode())) {
                    at.follow(answer);
                    continue;
                }
                take(url, answer, body, target, maxBytes);
                return;
            }
        }
    }

    private static void take(String url, HttpResponse<InputStream> answer, InputStream body, Path target, long maxBytes)
            throws IOException, InterruptedException {
        if (answer.statusCode() == NOT_FOUND || answer.statusCode() == GONE) {
            throw new MissingFileException("GET " + url + " was answered with " + answer.statusCode());
        }
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

    @Override
    public void store(Path source, String url) throws IOException, InterruptedException {
        HttpRedirects at = new HttpRedirects("PUT", url, uri(url), false, hosts);
        long bytes = Files.size(source);
        HttpResponse<Void> answer = calls.put(at.uri(), source, bytes);
        while (PUT_GOES_ON.contains(answer.statusCode())) {
            at.follow(answer);
            answer = calls.put(at.uri(), source, bytes);
        }
        int status = answer.statusCode();
        if (status >= 300 && status < 400) {
            throw notStored(url, status);
        }
        check("PUT", url, status);
        if (!STORED.contains(status)) {
            throw notStored(url, status);
        }
        compare(url, calls.head(at.uri()), bytes);
    }

    private static RefusedException notStored(String url, int status) {
        return new RefusedException("PUT " + url + " was answered with " + status
                + ", which does not say that the file is stored; 200, 201 and 204 do");
    }

    /** A server that does not offer HEAD, or not to us, says nothing about the file. */
    private static void compare(String url, HttpResponse<Void> head, long bytes) throws IOException {
        int status = head.statusCode();
        if (status == NOT_FOUND || status == GONE) {
            throw new IOException(url + " is not there after its PUT: HEAD was answered with " + status);
        }
        if (mayPass(status) && status != NOT_OFFERED) {
            throw new IOException("HEAD " + url + " was answered with " + status);
        }
        long there = head.headers().firstValueAsLong("content-length").orElse(bytes);
        if (status == OK && there != bytes) {
            throw new IOException(url + " has " + there + " bytes there; " + bytes + " were sent");
        }
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
        throw mayPass(status) ? new IOException(message) : new RefusedException(message);
    }

    private static boolean mayPass(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    /** The URL, escaped. */
    static URI uri(String url) throws RefusedException {
        try {
            URI uri = new URI(Urls.escaped(url));
            if (uri.getHost() == null) {
                throw new RefusedException(url + " names no host");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new RefusedException(url + " is not a URL: " + e.getMessage(), e);
        }
    }
}
