package dev.weir.chaos.hostile;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Entries of requests to the queues that are right, about queues of their own, with tokens that nobody has given. */
final class EntryTemplates {

    private static final int QUEUES = 5;
    private static final int KEYS = 500;
    private static final int GROUPS = 50;
    private static final int MOST = 256;
    private static final int SECONDS = 100;

    private static final ObjectMapper JSON = new ObjectMapper();
    /** Fields without which an entry means nothing, by its type. */
    private static final Map<String, List<String>> REQUIRED = Map.of(
            "push", List.of("queue", "item"),
            "configure", List.of("queue"),
            "remove", List.of("queue", "key"),
            "done", List.of("token", "end"),
            "extend", List.of("token"),
            "hold", List.of("token", "group", "hold_s"),
            "pop", List.of("queue", "wait_ms"),
            "show", List.of("queue", "key", "wait_ms"),
            "peek", List.of("queue", "most"),
            "answer", List.of("queue", "item", "wait_ms"));

    private final Random random;

    EntryTemplates(Random random) {
        this.random = random;
    }

    ObjectNode next(Door door, long number) {
        ObjectNode entry = JSON.createObjectNode().put("n", number);
        switch (door) {
            case ITEMS -> item(entry);
            case DONE -> lease(entry);
            default -> question(entry);
        }
        return entry;
    }

    static List<String> required(ObjectNode entry) {
        List<String> fields = new ArrayList<>(REQUIRED.get(entry.path("type").asText()));
        fields.add("type");
        return fields;
    }

    private String queue() {
        return Templates.MARK + random.nextInt(QUEUES);
    }

    private String key() {
        return Templates.MARK + "key-" + random.nextInt(KEYS);
    }

    private String group() {
        return Templates.MARK + "group-" + random.nextInt(GROUPS);
    }

    private void item(ObjectNode entry) {
        switch (random.nextInt(10)) {
            case 0 ->
                entry.put("type", "configure")
                        .put("queue", queue())
                        .putObject("settings")
                        .put("max_items", KEYS)
                        .put("lease_s", 1 + random.nextInt(SECONDS));
            case 1 -> entry.put("type", "remove").put("queue", queue()).put("key", key());
            default -> entry.put("type", "push").put("queue", queue()).set("item", pushed());
        }
    }

    private ObjectNode pushed() {
        ObjectNode item = JSON.createObjectNode().put("key", key()).put("priority", 1 + random.nextInt(MOST));
        item.putObject("payload").put("host", key());
        item.putArray("groups").add(group());
        return item;
    }

    private void lease(ObjectNode entry) {
        String token = Long.toHexString(random.nextLong()) + "." + Long.toHexString(random.nextLong());
        switch (random.nextInt(3)) {
            case 0 -> entry.put("type", "extend").put("token", token).put("lease_s", 1 + random.nextInt(SECONDS));
            case 1 ->
                entry.put("type", "hold")
                        .put("token", token)
                        .put("group", group())
                        .put("hold_s", 1 + random.nextInt(SECONDS));
            default -> entry.put("type", "done").put("token", token).put("end", "finished");
        }
    }

    private void question(ObjectNode entry) {
        int wait = random.nextInt(SECONDS);
        switch (random.nextInt(4)) {
            case 0 -> entry.put("type", "show").put("queue", queue()).put("key", key());
            case 1 -> entry.put("type", "peek").put("queue", queue()).put("most", 1 + random.nextInt(MOST));
            case 2 -> entry.put("type", "answer").put("queue", queue()).set("item", pushed());
            default -> entry.put("type", "pop").put("queue", queue());
        }
        if (!entry.path("type").asText().equals("peek")) {
            entry.put("wait_ms", wait);
        }
    }
}
