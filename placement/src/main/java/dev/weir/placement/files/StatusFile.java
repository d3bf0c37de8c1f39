package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.placement.Assignment;
import dev.weir.placement.Pass;
import dev.weir.placement.Version;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.io.IOException;
import java.util.Map;

/** {@code status.json}: workers, datasets, configuration and versions, for people and their dashboards. No times: same input, same bytes. */
public final class StatusFile {

    /** Its name in the output directory. */
    public static final String NAME = "status.json";

    private static final int FORMAT = 1;

    private StatusFile() {}

    /** The status of an assignment. */
    static WholeFile.Content of(Assignment assignment, FileConfig config) {
        return out -> {
            try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
                json.useDefaultPrettyPrinter();
                json.writeStartObject();
                json.writeObjectFieldStart("versions");
                json.writeStringField("weir", Version.current());
                json.writeNumberField("format", FORMAT);
                json.writeEndObject();
                writeConfig(json, config);
                writePass(json, "reliable", assignment.reliablePass());
                if (assignment.fullPass().isPresent()) {
                    writePass(json, "all", assignment.fullPass().get());
                }
                if (assignment.fullPassFailure().isPresent()) {
                    json.writeObjectFieldStart("pass_all");
                    json.writeStringField("failed", assignment.fullPassFailure().get());
                    json.writeEndObject();
                }
                writeWorkers(json, assignment);
                writeDatasets(json, assignment);
                json.writeEndObject();
            }
        };
    }

    private static void writeConfig(JsonGenerator json, FileConfig config) throws IOException {
        PlacementConfig placement = config.placement();
        json.writeObjectFieldStart("config");
        json.writeStringField("order", FileConfig.lowerCase(placement.order()));
        json.writeStringField("mode", FileConfig.lowerCase(placement.mode()));
        json.writeNumberField("rings", placement.rings());
        json.writeNumberField("saturation", placement.saturation());
        json.writeNumberField("min_replication", placement.minReplication());
        json.writeStringField("id_encoding", FileConfig.lowerCase(placement.idEncoding()));
        if (config.workerCapacity().isPresent()) {
            json.writeNumberField("worker_capacity", config.workerCapacity().getAsLong());
        }
        json.writeObjectFieldStart("weights");
        for (Map.Entry<String, Integer> weight : config.weights().entrySet()) {
            json.writeNumberField(weight.getKey(), weight.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writePass(JsonGenerator json, String name, Pass pass) throws IOException {
        json.writeObjectFieldStart("pass_" + name);
        AssignmentFile.writeReplication(json, pass);
        json.writeNumberField("virtual_chunks", pass.replication().virtualChunks());
        json.writeNumberField("unplaced", pass.unplaced());
        json.writeEndObject();
    }

    private static void writeWorkers(JsonGenerator json, Assignment assignment) throws IOException {
        json.writeArrayFieldStart("workers");
        for (int i = 0; i < assignment.workers().size(); i++) {
            Worker worker = assignment.workers().get(i);
            long bytes = assignment.bytes(i);
            json.writeStartObject();
            json.writeStringField("id", worker.id());
            json.writeStringField("status", FileConfig.lowerCase(worker.status()));
            json.writeNumberField("capacity", worker.capacityBytes());
            json.writeNumberField("assigned_bytes", bytes);
            json.writeNumberField("chunks", assignment.count(i));
            json.writeNumberField("fill", fill(bytes, worker.capacityBytes()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeDatasets(JsonGenerator json, Assignment assignment) throws IOException {
        DatasetTotals totals = new DatasetTotals(assignment);
        json.writeArrayFieldStart("datasets");
        for (int dataset = 0; dataset < totals.count(); dataset++) {
            json.writeStartObject();
            json.writeStringField("name", totals.name(dataset));
            json.writeNumberField("chunks", totals.chunks(dataset));
            json.writeNumberField("bytes", totals.bytes(dataset));
            json.writeNumberField("replication", totals.replication(dataset));
            json.writeNumberField("fewest_replicas", totals.fewestReplicas(dataset));
            json.writeNumberField("most_replicas", totals.mostReplicas(dataset));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The used share of a capacity; an empty one is not used. */
    static double fill(long bytes, long capacity) {
        return capacity == 0 ? 0 : (double) bytes / capacity;
    }
}
