package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.MirrorBatch;
import dev.weir.protocol.NewTask;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.StorageAnswer;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueBeat;
import dev.weir.protocol.queue.QueueLow;
import dev.weir.protocol.queue.QueueMessage;
import dev.weir.protocol.queue.QueueRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The schemas by name, and which of Weir's records reads what each describes. */
final class Schemas {

    /** The subtype that must come out; reports and what comes to the queues are read through their common types, as Weir does. */
    static final Map<String, Class<?>> RECORDS = Map.ofEntries(
            Map.entry("task", Task.class),
            Map.entry("job", Job.class),
            Map.entry("heartbeat", Heartbeat.class),
            Map.entry("status", Status.class),
            Map.entry("result", Result.class),
            Map.entry("beat", Beat.class),
            Map.entry("notice", Notice.class),
            Map.entry("page", PageRequest.class),
            Map.entry("rejected", Rejected.class),
            Map.entry("command", Command.class),
            Map.entry("event", TaskEvent.class),
            Map.entry("outcome", Outcome.class),
            Map.entry("register", Registration.class),
            Map.entry("dataset", DatasetPage.class),
            Map.entry("storage", StorageAnswer.class),
            Map.entry("mirror", MirrorBatch.class),
            Map.entry("queue-request", QueueRequest.class),
            Map.entry("queue-answers", QueueAnswers.class),
            Map.entry("queue-low", QueueLow.class),
            Map.entry("queue-beat", QueueBeat.class));

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private Schemas() {}

    /** What the schema has against the message; empty when it is valid. */
    static List<String> errors(String name, JsonNode message) {
        return REGISTRY.getSchema(SchemaLocation.of("classpath:schema/" + name + ".json")).validate(message).stream()
                .map(Object::toString)
                .toList();
    }

    /** Reads the message as Weir does; throws {@link InvalidMessage} when it is refused. */
    static Object read(String name, JsonNode message) {
        // DSM answers over HTTP, where the size of a message is no limit.
        byte[] body = Json.write(message);
        Object read = RECORDS.get(name)
                .cast(name.equals("dataset") ? Json.readKept(body, readAs(name)) : Json.read(body, readAs(name)));
        return read instanceof Task task ? NewTask.check(task) : read;
    }

    static Class<?> readAs(String name) {
        Class<?> record = RECORDS.get(name);
        return Stream.<Class<?>>of(Report.class, QueueMessage.class)
                .filter(common -> common.isAssignableFrom(record))
                .findFirst()
                .orElse(record);
    }

    /** What Weir writes for a record. */
    static JsonNode written(Object record) {
        try {
            return Json.mapper().readTree(Json.write(record));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails unless the schema takes the message just when its record does. */
    static void assertThatBothAgree(String schema, JsonNode message) {
        if (!RECORDS.containsKey(schema)) {
            return;
        }
        boolean readable;
        String reason = "";
        try {
            read(schema, message);
            readable = true;
        } catch (InvalidMessage | ClassCastException e) {
            readable = false;
            reason = e.getMessage();
        }
        List<String> errors = errors(schema, message);
        assertThat(errors.isEmpty())
                .as("schema %s says %s, the reader says '%s' about %s", schema, errors, reason, message)
                .isEqualTo(readable);
    }
}
