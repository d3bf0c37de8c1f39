package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonParser;
import dev.weir.placement.Placement;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads workers: {@code {"id", "capacity"?, "status": "online"|"unreliable"|"offline"}}, one a line. Other fields are ignored. */
public final class WorkersFile implements JsonLines.Fields {

    private final FileConfig config;
    private final List<Worker> workers = new ArrayList<>();
    /** By the bytes that ids stand for: one worker may be written in two ways, as in {@code ab} and {@code AB}. */
    private final Map<ByteBuffer, Long> lineOf = new HashMap<>();

    private String id;
    private Long capacity;
    private WorkerStatus status;

    private WorkersFile(FileConfig config) {
        this.config = config;
    }

    /** Reads a file; the configuration gives the capacity of workers without one. */
    public static List<Worker> read(Path file, FileConfig config) throws InputException {
        InputException.Collector errors = new InputException.Collector(file);
        WorkersFile reader = new WorkersFile(config);
        JsonLines.read(file, reader, errors);
        errors.throwIfAny();
        return reader.workers;
    }

    @Override
    public void begin() {
        id = null;
        capacity = null;
        status = null;
    }

    @Override
    public void field(String name, JsonParser value) throws IOException {
        switch (name) {
            case "id" -> id = JsonLines.text(name, value);
            case "capacity" -> capacity = JsonLines.wholeNumber(name, value);
            case "status" -> status = status(JsonLines.text(name, value));
            default -> {}
        }
    }

    private static WorkerStatus status(String text) {
        for (WorkerStatus status : WorkerStatus.values()) {
            if (text.equals(status.name().toLowerCase(Locale.ROOT))) {
                return status;
            }
        }
        throw new IllegalArgumentException("status is '" + text + "'; it must be online, unreliable or offline");
    }

    @Override
    public void end(long line) {
        if (id == null || status == null) {
            throw new IllegalArgumentException((id == null ? "id" : "status") + " is missing");
        }
        if (capacity == null && config.workerCapacity().isEmpty()) {
            throw new IllegalArgumentException(
                    "worker '" + id + "' has no capacity; give it here, or worker_capacity in the configuration");
        }
        long bytes = capacity != null ? capacity : config.workerCapacity().getAsLong();
        Worker worker = new Worker(id, bytes, status);
        Long earlier = lineOf.putIfAbsent(ByteBuffer.wrap(config.placement().idBytes(id)), line);
        if (earlier != null) {
            throw new IllegalArgumentException("worker '" + id + "' is on line " + earlier + " already");
        }
        if (workers.size() == Placement.MAX_WORKERS) {
            throw new IllegalArgumentException("at most " + Placement.MAX_WORKERS + " workers are possible");
        }
        workers.add(worker);
    }
}
