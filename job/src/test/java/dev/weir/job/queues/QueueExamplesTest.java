package dev.weir.job.queues;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plays the examples of docs/PROTOCOL.md that are about queues: its requests arrive, and what is then sent is what the page shows. */
class QueueExamplesTest {

    private static final Path PAGE = Path.of("..", "docs", "PROTOCOL.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```json ([a-z-]+)\\n(.*?)^```$");
    private static final int LEASE_S = 300;
    private static final int LOW = 2;

    private QueuesOnTheBench queues;

    @BeforeEach
    void makeTheQueue() throws Exception {
        queues = new QueuesOnTheBench();
        JsonNode settings =
                Json.mapper().createObjectNode().put("lease_s", LEASE_S).put("low", LOW);
        queues.ask(new Configure(1, "scans", Json.read(Json.write(settings), QueueSettings.class)));
    }

    @AfterEach
    void close() throws Exception {
        assertThat(queues.rejected()).isEmpty();
        queues.close();
    }

    @Test
    void theAnswersOnThePageAreThoseThatAreSent() throws Exception {
        List<JsonNode> requests = examples("queue-request");
        List<JsonNode> answers = examples("queue-answers");
        assertThat(requests).hasSize(3);
        assertThat(answers).hasSize(2);

        assertThat(answered(requests.get(0))).isEqualTo(answers.get(0));
        JsonNode popped = answered(requests.get(1));
        String token = popped.at("/answers/0/items/0/token").asText();
        String shown = answers.get(1).at("/answers/0/items/0/token").asText();
        assertThat(withoutToken(popped)).isEqualTo(withoutToken(answers.get(1)));
        assertThat(unsealed(token)).isEqualTo(unsealed(shown));
        assertThat(requests.get(2).at("/entries/0/token").asText()).isEqualTo(shown);
        ObjectNode done = requests.get(2).deepCopy();
        ((ObjectNode) done.at("/entries/0")).put("token", token);
        assertThat(answered(done).at("/answers/0/status").asText()).isEqualTo("ok");
    }

    @Test
    void aTokenThatNobodySealedProvesNothing() throws Exception {
        List<JsonNode> requests = examples("queue-request");
        answered(requests.get(0));
        answered(requests.get(1));

        assertThat(answered(requests.get(2)).at("/answers/0/status").asText()).isEqualTo("stale");
    }

    @Test
    void theEventAndTheBeatOnThePageAreThoseThatAreSent() throws Exception {
        List<JsonNode> requests = examples("queue-request");
        answered(requests.get(0));
        answered(requests.get(1));

        assertThat(queues.sent(QueueEffects.EVENTS).stream().map(QueueExamplesTest::body))
                .contains(examples("queue-low").get(0));
        assertThat(queues.sent(QueueEffects.EVENTS))
                .allSatisfy(event -> assertThat(event.routingKey()).isEqualTo("queue.low"));
        queues.pass(10_000);
        assertThat(queues.sent(QueueEffects.BEATS).stream().map(beat -> withoutTime(body(beat))))
                .contains(withoutTime(examples("queue-beat").get(0)));
    }

    private static JsonNode withoutTime(JsonNode beat) {
        ObjectNode rest = beat.deepCopy();
        rest.remove("sent_at");
        return rest;
    }

    private JsonNode answered(JsonNode request) throws Exception {
        queues.arrive(Json.write(request));
        List<Outbound> messages = queues.messages();
        assertThat(messages).hasSize(1);
        assertThat(messages.get(0).routingKey())
                .isEqualTo(request.get("gateway").asText());
        return body(messages.get(0));
    }

    private static JsonNode body(Outbound message) {
        return Json.read(message.body(), JsonNode.class);
    }

    private static JsonNode withoutToken(JsonNode answers) {
        JsonNode rest = answers.deepCopy();
        ((ObjectNode) rest.at("/answers/0/items/0")).remove("token");
        return rest;
    }

    /** What a token says, but for the run of Weir that gave it and the seal, which are random. */
    private static List<String> unsealed(String token) {
        assertThat(token).matches("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{43}");
        byte[] text = Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.')));
        return List.of(new String(text, StandardCharsets.UTF_8)
                .replaceFirst("[0-9a-f]{32}-", "run-")
                .split("\0", -1));
    }

    private static List<JsonNode> examples(String schema) throws IOException {
        List<JsonNode> examples = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        while (block.find()) {
            if (block.group(1).equals(schema)) {
                examples.add(Json.mapper().readTree(block.group(2)));
            }
        }
        return examples;
    }
}
