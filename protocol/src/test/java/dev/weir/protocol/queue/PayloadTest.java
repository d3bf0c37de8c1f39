package dev.weir.protocol.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A payload")
class PayloadTest {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String[] TEXTS = {"", "a", "\"", "\\", "/", "\n\t\u0001", "é", "😀", "{", "[", ":", ",", "null"
    };

    private final Random random = new Random(1);

    @Test
    @DisplayName("is any value, carried without the white space around its parts")
    void anyValue() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            JsonNode value = value(3);
            assertThat(read("[ " + value.toPrettyString() + " ]").json())
                    .isEqualTo("[" + Json.mapper().writeValueAsString(value) + "]");
        }
    }

    @Test
    @DisplayName("keeps its numbers as they are spelled")
    void numbers() {
        String numbers =
                "[0,-0,1.0,1.10,1e3,1E+3,-1.5e-300,123456789012345678901234567890,0.1000000000000000055511151231257827]";

        assertThat(read(numbers).json()).isEqualTo(numbers);
    }

    private static Payload read(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), Payload.class);
    }

    private JsonNode value(int depth) {
        switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0:
                return JSON.textNode(text());
            case 1:
                return JSON.numberNode(random.nextInt(1_000) - 500);
            case 2:
                return JSON.booleanNode(random.nextBoolean());
            case 3:
                return JSON.nullNode();
            case 4:
                ArrayNode list = JSON.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(depth - 1));
                }
                return list;
            default:
                ObjectNode object = JSON.objectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set(text(), value(depth - 1));
                }
                return object;
        }
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)] + TEXTS[random.nextInt(TEXTS.length)];
    }
}
