package dev.weir.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import dev.weir.protocol.NewTask;
import dev.weir.protocol.Report;
import dev.weir.protocol.Task;
import dev.weir.protocol.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * A message with every field that its schema has, each as long or large as it may be. Texts are made of quotes and emoji, which take several
 * times as many bytes in JSON as characters. What must mean something, as the name of a pool, is given.
 */
public final class LongestMessage {

    private static final String LAST_TIME = "9999-12-31T23:59:59.999999999Z";

    /** Whole words to a shell, so that it may stand in a command line too. */
    private static final String GROWS = "\"\uD83D\uDE00\"";

    private final Class<?> readAs;
    private final ObjectNode given;
    private final Set<String> fixed;

    private LongestMessage(Class<?> readAs, ObjectNode given, Set<String> fixed) {
        this.readAs = readAs;
        this.given = given;
        this.fixed = fixed;
    }

    /**
     * The message.
     *
     * @param given a valid message of its kind
     * @param fixed fields that stay as they are given
     */
    private static ObjectNode of(String schema, Class<?> readAs, String given, String... fixed) throws IOException {
        ObjectNode message = (ObjectNode) Json.mapper().readTree(given);
        new LongestMessage(readAs, message.deepCopy(), Set.of(fixed)).fill(message, schema(schema), "");
        return message;
    }

    /** A task of the pool {@code cpu}. */
    public static ObjectNode task() throws IOException {
        return of("task", Task.class, """
                {"uid":"t","executable":"x","device_type":"CPU","mode":"Map","dat_in_uid":"i","dat_out_uid":"o","dat_stor_url":"file:///s",
                 "dat_out_url":"o","order":"priority","pool":"cpu","ranker":"linear-ageing"}""", "pool", "ranker");
    }

    /** Up to ten files, each with another name. */
    public static List<JsonNode> files(int count) throws IOException {
        ObjectNode file =
                of("file", FileInfo.class, "{\"name\":\"f\",\"storage_url\":\"file:///s\",\"type\":\"file\"}", "type");
        List<JsonNode> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = file.get("name").asText();
            files.add(file.deepCopy().put("name", name.substring(0, name.length() - 1) + i));
        }
        return files;
    }

    /**
     * A command.
     *
     * @param number from 0 to 89; each makes another id
     * @param rest further fields as JSON, which stay as they are given where they name something
     */
    public static ObjectNode command(Command.Type type, int number, long atMillis, String rest) throws IOException {
        ObjectNode command = of(
                "command",
                Command.class,
                "{\"id\":\"c\",\"at\":%d,\"type\":%s,%s}"
                        .formatted(atMillis, Json.mapper().writeValueAsString(type), rest),
                "at",
                "task_uid",
                "pool",
                "pilot_id",
                "position");
        String id = command.get("id").asText();
        return command.put("id", id.substring(0, id.length() - 2) + (10 + number));
    }

    /**
     * A report of a pilot of the pool {@code cpu}; its files are beside the task's storage, and the URLs of each attempt are others.
     *
     * @param rest further fields as JSON, which stay as they are given where they name something
     */
    public static ObjectNode report(String type, String pilot, String rest) throws IOException {
        ObjectNode report = of(
                type,
                Report.class,
                "{\"type\":\"%s\",\"pilot_id\":\"%s\",\"pool\":\"cpu\",%s}".formatted(type, pilot, rest),
                "pilot_id",
                "pool",
                "pools",
                "job_uid",
                "attempt",
                "route");
        for (String url : List.of("file_out_url", "file_log_url")) {
            if (report.has(url)) {
                String name = "/%s.%d.%s"
                        .formatted(
                                report.get("job_uid").asText(),
                                report.get("attempt").asInt(),
                                url);
                String longest = report.get(url).asText();
                int most =
                        last(longest.length(), n -> Texts.fitsJson(Texts.first(longest, n), 0, Limits.MAX_URL_BYTES));
                report.put(url, Texts.first(longest, most) + name);
            }
        }
        return report;
    }

    private void fill(ObjectNode into, JsonNode schema, String parent) throws IOException {
        for (String name : (Iterable<String>) () -> schema.get("properties").fieldNames()) {
            JsonNode field = resolved(schema.get("properties").get(name));
            String path = parent + "/" + name;
            if (fixed.contains(name)) {
                continue;
            }
            JsonNode before = into.get(name);
            if (field.has("properties")) {
                fill(into.putObject(name), field, path);
            } else if (field.path("type").asText().equals("array")
                    && text(field.get("items")).isPresent()) {
                ArrayNode list = into.putArray(name);
                String rest = longest(path + "/0", field.get("items"), "A").substring(1);
                for (int i = 0; i < field.get("maxItems").asInt(); i++) {
                    list.add((char) ('A' + i)
                            + longest(path + "/0", field.get("items"), "A").substring(1));
                }
            } else if (field.has("maximum")) {
                into.set(name, field.get("maximum"));
            } else if (field.path("anyOf").toString().contains("maximum")) {
                into.put(name, LAST_TIME);
            } else if (text(field).isPresent()) {
                into.put(
                        name,
                        longest(path, field, name.endsWith("url") && !name.equals("dat_out_url") ? "file:///" : ""));
            }
            if (into.has(name) && !isTaken(path, into.get(name))) {
                // This kind of command has no such field.
                into.remove(name);
            }
            if (before != null && !into.has(name)) {
                into.set(name, before);
            }
        }
    }

    /** The longest that is taken in this field. */
    private String longest(String path, JsonNode field, String start) throws IOException {
        JsonNode text = text(field).orElseThrow();
        if (text.path("pattern").asText().contains("{1,128}")) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            return name + "u".repeat(128 - name.length());
        }
        int most = text.path("maxLength").asInt(Limits.MAX_SENTENCE_LENGTH);
        int units = last(most / GROWS.length(), n -> fits(path, start + GROWS.repeat(n), most));
        String grown = start + GROWS.repeat(units);
        return grown + "a".repeat(last(most, n -> fits(path, grown + "a".repeat(n), most)));
    }

    private boolean fits(String path, String text, int most) {
        return text.length() <= most && isTaken(path, Json.mapper().valueToTree(text));
    }

    /** The largest number up to most for which it is so. */
    private static int last(int most, IntPredicate isSo) {
        int low = 0;
        int high = most;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            low = isSo.test(middle) ? middle : low;
            high = isSo.test(middle) ? high : middle - 1;
        }
        return low;
    }

    private boolean isTaken(String path, JsonNode value) {
        ObjectNode tried = given.deepCopy();
        String[] steps = path.substring(1).split("/", -1);
        if (steps.length == 1) {
            tried.set(steps[0], value);
        } else if (steps[1].equals("0")) {
            tried.putArray(steps[0]).add(value);
        } else {
            tried.putObject(steps[0]).set(steps[1], value);
        }
        try {
            Object read = Json.read(Json.write(tried), readAs);
            return !(read instanceof Task task) || NewTask.check(task) == task;
        } catch (InvalidMessage e) {
            return false;
        }
    }

    /** What says that the field is a text of free choice, and how long. */
    private static Optional<JsonNode> text(JsonNode field) throws IOException {
        JsonNode resolved = resolved(field);
        if (resolved.has("allOf")) {
            for (JsonNode part : resolved.get("allOf")) {
                if (resolved(part).has("maxLength")) {
                    return text(part);
                }
            }
        }
        boolean isText = resolved.path("type").asText().equals("string");
        return isText ? Optional.of(resolved) : Optional.empty();
    }

    /** With what it refers to. */
    private static JsonNode resolved(JsonNode field) throws IOException {
        if (!field.has("$ref")) {
            return field;
        }
        String[] reference = field.get("$ref").asText().split("#", -1);
        JsonNode target = schema(reference[0].isEmpty() ? "common" : reference[0].replace(".json", ""));
        ObjectNode all = ((ObjectNode) resolved(target.at(reference.length > 1 ? reference[1] : ""))).deepCopy();
        all.setAll((ObjectNode) field);
        all.remove("$ref");
        return all;
    }

    private static JsonNode schema(String name) throws IOException {
        try (InputStream in = Json.class.getResourceAsStream("/schema/" + name + ".json")) {
            return Json.mapper().readTree(in);
        }
    }
}
