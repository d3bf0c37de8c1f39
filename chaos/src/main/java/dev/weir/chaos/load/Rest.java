package dev.weir.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Requests of an operator to the gateway. Safe for use from many threads. */
final class Rest {

    static final ObjectMapper JSON = new ObjectMapper();

    /** For one answer, beyond the wait that it asks for. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final Site site;

    Rest(Site site) {
        this.site = site;
    }

    /** An answer; its body is missing when it is no JSON. */
    record Answer(int status, JsonNode body) {

        boolean isOk() {
            return status == 200 || status == 201;
        }
    }

    Answer get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    Answer post(String path, String json) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.ofString(json)));
    }

    Answer put(String path, String json) throws IOException, InterruptedException {
        return send(request(path).PUT(BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(site.gatewayUrl() + path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + site.operatorToken());
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        return new Answer(answer.statusCode(), JSON.readTree(answer.body()));
    }
}
