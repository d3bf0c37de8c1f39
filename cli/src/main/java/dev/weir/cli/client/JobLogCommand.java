package dev.weir.cli.client;

import dev.weir.protocol.Urls;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./weir job log}. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Prints the log of a job's newest ended attempt, from the storage to which its pilot uploaded it.",
            "",
            "A file:// address must be reachable from this machine; an http or https one without a password."
        })
final class JobLogCommand implements Callable<Integer> {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Mixin
    private Asking asking;

    @Parameters(paramLabel = "JOB", description = "Uid of the job.")
    private String job;

    @Override
    public Integer call() throws IOException {
        String url = asking.gateway()
                .get("job/" + GatewayClient.part(job), Map.of())
                .path("file_log_url")
                .asText();
        if (url.isEmpty()) {
            throw new IOException("job " + job + " has no log: none of its attempts has ended with one");
        }
        if (asking.json()) {
            asking.out().println(GatewayClient.JSON.createObjectNode().put("log", url));
            asking.out().flush();
            return 0;
        }
        try (InputStream log = open(url)) {
            // The log is bytes of a program; a writer would change them.
            log.transferTo(System.out);
            System.out.flush();
        }
        return 0;
    }

    /** Weir joins names to URLs as they are, so a blank, {@code #} or {@code %} is part of a name. */
    static InputStream open(String url) throws IOException {
        int end = url.indexOf("://");
        String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "file" -> Files.newInputStream(path(url.substring(end + 3)));
            case "http", "https" -> fetch(uri(url));
            default -> throw new IOException("the log is at " + url + "; fetch it with a program for that storage");
        };
    }

    /** As the name stands, or with its escapes decoded if there is no such file. */
    private static Path path(String rest) {
        String text = rest.substring(Math.max(0, rest.indexOf('/')));
        Path literal = Path.of(text);
        if (Files.exists(literal) || text.indexOf('%') < 0) {
            return literal;
        }
        try {
            return Path.of(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            // A percent sign that begins no escape.
            return literal;
        }
    }

    private static URI uri(String url) throws IOException {
        try {
            return new URI(Urls.escaped(url));
        } catch (URISyntaxException e) {
            throw new IOException("the log is at " + url + ", which is no URL: " + e.getMessage(), e);
        }
    }

    private static InputStream fetch(URI url) throws IOException {
        try {
            HttpResponse<InputStream> answer = HttpClient.newBuilder()
                    .connectTimeout(LIMIT)
                    .build()
                    .send(HttpRequest.newBuilder(url).timeout(LIMIT).build(), BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                answer.body().close();
                throw new IOException("the storage answers " + answer.statusCode() + " for the log at " + url
                        + "; fetch it with a program that may read there");
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while fetching the log at " + url, e);
        }
    }
}
