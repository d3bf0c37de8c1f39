package dev.weir.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.http.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Where the items of a queue come from. */
final class FeedSource {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MOST_BYTES = 32 << 20;

    private final URI address;
    private final Path tokenFile;
    private final Duration limit;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(LIMIT).build();
    /** Whether it has given something: then a token that it refuses may be renewed yet. */
    private boolean wasLetIn;

    /**
     * @param tokenFile its first line is a bearer token, read at each request; null for none
     * @throws Wrong when the file cannot be read; later that may pass
     */
    FeedSource(URI address, Path tokenFile) throws Wrong {
        this(address, tokenFile, LIMIT);
    }

    /** @param limit until the last byte of an answer */
    FeedSource(URI address, Path tokenFile, Duration limit) throws Wrong {
        if (tokenFile != null) {
            try {
                var unused = token(tokenFile);
            } catch (IOException e) {
                throw new Wrong(
                        "cannot read a token from " + tokenFile
                                + "; name a file with --source-token-file that this user may read, and whose first line is a token");
            }
        }
        this.address = address;
        this.tokenFile = tokenFile;
        this.limit = limit;
    }

    /**
     * Asks for so many items at most.
     *
     * @return bodies of items to push; empty when there is nothing now
     * @throws Wrong when another try would not help
     */
    List<JsonNode> next(int most) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(address + (address.getRawQuery() == null ? "?" : "&") + "n=" + most))
                .header("accept", "application/json");
        if (tokenFile != null) {
            request.header("authorization", "Bearer " + token(tokenFile));
        }
        HttpResponse<byte[]> answer;
        try {
            answer = WholeAnswer.to(http, request.build(), head -> new Bounded(), limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Wrong("interrupted while waiting for the source");
        } catch (Wrong e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("no source answers at " + address + " (" + GatewayClient.reason(e) + ")", e);
        }
        return answered(answer);
    }

    private static String token(Path file) throws IOException {
        String token = Access.firstLine(file);
        if (!Access.isToken(token)) {
            throw new IOException("the first line of " + file + " is no token");
        }
        return token;
    }

    private List<JsonNode> answered(HttpResponse<byte[]> answer) throws IOException {
        int status = answer.statusCode();
        if (status != 200 && status != 204) {
            String says = "the source at " + address + " answers " + status;
            throw GatewayRefusal.mayPass(status, wasLetIn) ? new IOException(says) : new Wrong(says);
        }
        wasLetIn = true;
        return status == 204 ? List.of() : read(answer.body());
    }

    /** Gives up an answer that is too long where it becomes so. */
    private final class Bounded implements BodySubscriber<byte[]> {

        private final BodySubscriber<byte[]> all = BodySubscribers.ofByteArray();
        private Flow.Subscription subscription;
        private long bytes;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            all.onSubscribe(given);
        }

        @Override
        public void onNext(List<ByteBuffer> part) {
            bytes += part.stream().mapToLong(ByteBuffer::remaining).sum();
            if (bytes <= MOST_BYTES) {
                all.onNext(part);
                return;
            }
            subscription.cancel();
            all.onError(new Wrong("the source at " + address + " answers with more than " + MOST_BYTES + " bytes"));
        }

        @Override
        public void onError(Throwable failure) {
            all.onError(failure);
        }

        @Override
        public void onComplete() {
            all.onComplete();
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return all.getBody();
        }
    }

    private List<JsonNode> read(byte[] body) throws IOException {
        JsonNode answer;
        try {
            answer = GatewayClient.JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new Wrong("the source at " + address + " answers no JSON: " + e.getOriginalMessage());
        }
        JsonNode entries = answer.isObject() ? answer.path("items") : answer;
        if (!entries.isArray()) {
            throw new Wrong("the source at " + address + " answers no array of items");
        }
        List<JsonNode> items = new ArrayList<>();
        for (JsonNode entry : entries) {
            items.add(entry.isTextual() ? GatewayClient.JSON.createObjectNode().set("key", entry) : entry);
        }
        return items;
    }

    /** What another try would not change. */
    static final class Wrong extends IOException {

        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }
}
