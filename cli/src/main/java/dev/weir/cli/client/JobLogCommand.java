package dev.weir.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
        try (InputStream log = open(URI.create(url))) {
            // The log is bytes of a program; a writer would change them.
            log.transferTo(System.out);
            System.out.flush();
        }
        return 0;
    }

    private static InputStream open(URI url) throws IOException {
        String scheme = url.getScheme() == null ? "" : url.getScheme();
        return switch (scheme) {
            case "file" -> Files.newInputStream(Path.of(url.getPath()));
            case "http", "https" -> fetch(url);
            default -> throw new IOException("the log is at " + url + "; fetch it with a program for that storage");
        };
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
