package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonParser;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.ChunksBuilder;
import dev.weir.placement.input.DuplicateChunkException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads chunks: {@code {"dataset", "id", "size", "weight"?}}, one a line, in any order. Other fields are ignored. */
public final class ChunksFile implements JsonLines.Fields {

    private final FileConfig config;
    private final ChunksBuilder builder = new ChunksBuilder();
    /** Where the numbers of lines and of chunks drift apart: before each of these chunks, blank lines were skipped. */
    private final List<long[]> shifts = new ArrayList<>();

    private String dataset;
    private String id;
    private long size;
    private boolean hasSize;
    private long weight;
    private boolean hasWeight;

    private ChunksFile(FileConfig config) {
        this.config = config;
    }

    /** Reads a file; the configuration gives the weights of chunks without one. */
    public static Chunks read(Path file, FileConfig config) throws InputException {
        InputException.Collector errors = new InputException.Collector(file);
        ChunksFile reader = new ChunksFile(config);
        JsonLines.read(file, reader, errors);
        errors.throwIfAny();
        try {
            return reader.builder.build();
        } catch (DuplicateChunkException twice) {
            throw new InputException(file + ":" + reader.lineOf(twice.second()) + ": " + twice.getMessage()
                    + ", first on line " + reader.lineOf(twice.first()));
        }
    }

    @Override
    public void begin() {
        dataset = null;
        id = null;
        hasSize = false;
        hasWeight = false;
    }

    @Override
    public void field(String name, JsonParser value) throws IOException {
        switch (name) {
            case "dataset" -> dataset = JsonLines.text(name, value);
            case "id" -> id = JsonLines.text(name, value);
            case "size" -> {
                size = JsonLines.wholeNumber(name, value);
                hasSize = true;
            }
            case "weight" -> {
                weight = JsonLines.wholeNumber(name, value);
                hasWeight = true;
            }
            default -> {}
        }
    }

    @Override
    public void end(long line) {
        if (dataset == null || id == null || !hasSize) {
            throw new IllegalArgumentException(
                    (dataset == null ? "dataset" : id == null ? "id" : "size") + " is missing");
        }
        long given = hasWeight ? weight : config.weight(dataset);
        builder.add(dataset, id, size, given);
        long shift = line - builder.count();
        long known = shifts.isEmpty() ? 0 : shifts.get(shifts.size() - 1)[1];
        if (shift != known) {
            shifts.add(new long[] {builder.count() - 1, shift});
        }
    }

    private long lineOf(int chunk) {
        long line = chunk + 1L;
        for (long[] shift : shifts) {
            if (shift[0] <= chunk) {
                line = chunk + 1L + shift[1];
            }
        }
        return line;
    }
}
