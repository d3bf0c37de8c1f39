package dev.weir.gateway;

import static dev.weir.gateway.QueueOverRest.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Items that a worker pushes with the end of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueFollowUpsTest {

    private TestGateway gateway;
    private TestQueues queues;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        queues = new TestQueues(gateway.broker);
    }

    @AfterAll
    void stop() throws Exception {
        queues.close();
        gateway.close();
    }

    private static String doneAndPush(JsonNode item, String push) {
        return "{\"token\": \"%s\", \"end\": \"finished\", \"push\": [%s]}"
                .formatted(item.get("token").asText(), push);
    }

    @Test
    void whatFollowsFromTheWorkIsPushedBeforeTheItemEnds() throws Exception {
        QueueOverRest first = new QueueOverRest(gateway);
        QueueOverRest second = new QueueOverRest(gateway);
        first.push("a");
        JsonNode item = first.popped();
        String push = "{\"queue\": \"" + second.name
                + "\", \"key\": \"b\", \"payload\": 7}, {\"key\": \"c\", \"priority\": 9}";

        assertThat(first.post("/done", doneAndPush(item, push)).json().toString())
                .isEqualTo("{\"outcome\":\"ok\"}");

        assertThat(second.popped().get("payload").asInt()).isEqualTo(7);
        assertThat(first.popped().get("key").asText()).isEqualTo("c");
        assertThat(first.view().get("finished").asInt()).isEqualTo(1);
    }

    @Test
    void anItemGoesOnWhenWhatFollowsFromItIsNotAccepted() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        QueueOverRest full = new QueueOverRest(gateway, "{\"max_items\": 1, \"reserve\": 0}");
        full.push("x");
        queue.push("a");
        JsonNode item = queue.popped();

        Answer noRoom = queue.post("/done", doneAndPush(item, "{\"queue\": \"" + full.name + "\", \"key\": \"b\"}"));
        assertThat(noRoom.status()).isEqualTo(429);
        assertThat(noRoom.headers().firstValue("Retry-After")).contains("5");
        assertThat(noRoom.text("field")).isEqualTo("push[0]");
        assertThat(queue.post("/done", doneAndPush(item, "{\"key\": \"c\"}, {\"queue\": \"none\", \"key\": \"b\"}"))
                        .status())
                .isEqualTo(404);
        Answer bad = queue.post("/done", doneAndPush(item, "{\"key\": \"c\", \"priority\": 0}"));
        assertThat(bad.status()).isEqualTo(422);
        assertThat(bad.text("field")).isEqualTo("push[0].priority");
        assertThat(queue.view().get("leased").asInt()).isEqualTo(1);

        full.post("/done", write(Map.of("token", full.popped().get("token").asText(), "end", "finished")));
        assertThat(queue.post("/done", doneAndPush(item, "{\"queue\": \"" + full.name + "\", \"key\": \"b\"}"))
                        .status())
                .isEqualTo(200);
        assertThat(full.popped().get("key").asText()).isEqualTo("b");
    }

    @Test
    void severalEndsPushNothing() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        String one = doneAndPush(queue.popped(), "{\"key\": \"b\"}");

        Answer refused = queue.post("/done", "{\"items\": [" + one + "]}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("field")).isEqualTo("items[0].push");
    }
}
