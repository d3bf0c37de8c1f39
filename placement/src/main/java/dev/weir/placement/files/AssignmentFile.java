package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.placement.Assignment;
import dev.weir.placement.Pass;
import dev.weir.placement.diff.PreviousLists;
import dev.weir.placement.input.Chunks;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * {@code assignment.json.gz}: {@code {"workers": {id: ["dataset/chunk id", …]}, "replication": {weight: factor},
 * "virtual_chunks": n, "unplaced": n}}. The last three are those of the pass over the reliable workers. Written and read
 * as a stream; the same assignment gives the same bytes.
 */
public final class AssignmentFile {

    /** Its name in the output directory. */
    public static final String NAME = "assignment.json.gz";

    /** Its name where the workers that are not reliable have empty lists, because the pass over all workers failed. */
    public static final String RELIABLE_NAME = "assignment-reliable.json.gz";

    private static final int BUFFER_BYTES = 1 << 16;

    private AssignmentFile() {}

    /** Writes an assignment. */
    public static void write(Path file, Assignment assignment) throws IOException {
        WholeFile.write(file, of(assignment));
    }

    static WholeFile.Content of(Assignment assignment) {
        return out -> {
            try (OutputStream gzip = new FastGzip(out);
                    JsonGenerator json = new JsonFactory().createGenerator(gzip)) {
                write(json, assignment);
            }
        };
    }

    private static void write(JsonGenerator json, Assignment assignment) throws IOException {
        Chunks chunks = assignment.chunks();
        json.writeStartObject();
        json.writeObjectFieldStart("workers");
        for (int worker = 0; worker < assignment.workers().size(); worker++) {
            json.writeArrayFieldStart(assignment.workers().get(worker).id());
            for (int i = 0; i < assignment.count(worker); i++) {
                int chunk = assignment.chunk(worker, i);
                json.writeUTF8String(chunks.segment(chunk), chunks.offset(chunk), chunks.length(chunk));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
        Pass pass = assignment.reliablePass();
        writeReplication(json, pass);
        json.writeNumberField("virtual_chunks", pass.replication().virtualChunks());
        json.writeNumberField("unplaced", pass.unplaced());
        json.writeEndObject();
    }

    /** {@code "replication": {weight: factor}}; whole factors as whole numbers. */
    static void writeReplication(JsonGenerator json, Pass pass) throws IOException {
        json.writeObjectFieldStart("replication");
        for (var factor : pass.replication().factors().entrySet()) {
            json.writeFieldName(Integer.toString(factor.getKey()));
            double value = factor.getValue();
            if (value == Math.rint(value)) {
                json.writeNumber((long) value);
            } else {
                json.writeNumber(value);
            }
        }
        json.writeEndObject();
    }

    /** Reads the lists of an earlier assignment, given by their index among {@code chunks}. Other fields are skipped. */
    public static PreviousLists read(Path file, Chunks chunks) throws InputException {
        PreviousLists lists = new PreviousLists(chunks);
        try (InputStream in = new GZIPInputStream(
                        new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), BUFFER_BYTES);
                JsonParser json = new JsonFactory().createParser(in)) {
            expect(json.nextToken() == JsonToken.START_OBJECT, "an object");
            boolean hasWorkers = false;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals("workers")) {
                    readWorkers(json, lists);
                    hasWorkers = true;
                } else {
                    json.skipChildren();
                }
            }
            expect(hasWorkers, "a field 'workers'");
        } catch (JsonProcessingException malformed) {
            throw new InputException(file + ": not JSON: " + InputException.reason(malformed));
        } catch (IllegalArgumentException refused) {
            throw new InputException(file + ": not an assignment: " + refused.getMessage());
        } catch (IOException unreadable) {
            throw InputException.unreadable(file, unreadable);
        }
        return lists;
    }

    private static void readWorkers(JsonParser json, PreviousLists lists) throws IOException {
        expect(json.currentToken() == JsonToken.START_OBJECT, "an object of workers");
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String worker = json.currentName();
            lists.addWorker(worker);
            expect(json.nextToken() == JsonToken.START_ARRAY, "a list of chunks");
            while (json.nextToken() != JsonToken.END_ARRAY) {
                expect(json.currentToken() == JsonToken.VALUE_STRING, "a chunk's name");
                lists.add(worker, json.getText());
            }
        }
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what + " is expected");
        }
    }

    /** Chunk names repeat so much that the fastest level packs them well. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
