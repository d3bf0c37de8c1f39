package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.placement.diff.AssignmentDiff;
import dev.weir.placement.diff.Change;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code diff.json}: what moves from an earlier assignment, in all and for each worker where something changes. */
public final class DiffFile {

    /** Its name in the output directory. */
    public static final String NAME = "diff.json";

    private DiffFile() {}

    /** The difference. */
    static WholeFile.Content of(AssignmentDiff diff) {
        return out -> {
            try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
                json.useDefaultPrettyPrinter();
                json.writeStartObject();
                json.writeObjectFieldStart("total");
                write(json, diff.total());
                json.writeEndObject();
                write(json, "joined", diff.joined());
                write(json, "left", diff.left());
                json.writeObjectFieldStart("workers");
                for (Map.Entry<String, Change> worker : diff.workers().entrySet()) {
                    if (!worker.getValue().isNothing()) {
                        json.writeObjectFieldStart(worker.getKey());
                        write(json, worker.getValue());
                        json.writeEndObject();
                    }
                }
                json.writeEndObject();
                json.writeEndObject();
            }
        };
    }

    private static void write(JsonGenerator json, Change change) throws IOException {
        json.writeNumberField("moved_chunks", change.movedChunks());
        json.writeNumberField("moved_bytes", change.movedBytes());
        json.writeNumberField("new_chunks", change.newChunks());
        json.writeNumberField("new_bytes", change.newBytes());
        json.writeNumberField("dropped_chunks", change.droppedChunks());
        json.writeNumberField("dropped_bytes", change.droppedBytes());
        json.writeNumberField("gone_chunks", change.goneChunks());
    }

    private static void write(JsonGenerator json, String name, List<String> workers) throws IOException {
        json.writeArrayFieldStart(name);
        for (String worker : workers) {
            json.writeString(worker);
        }
        json.writeEndArray();
    }
}
