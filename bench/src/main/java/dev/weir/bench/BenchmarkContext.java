package dev.weir.bench;

import dev.weir.bench.chart.Chart;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a {@link Benchmark} is given: where to write, what the user asked for, and a place for figures and notes. One thread. */
public final class BenchmarkContext {

    private final Path out;
    private final boolean quick;
    private final Optional<Path> input;
    private final PrintWriter progress;
    private final List<Path> figures = new ArrayList<>();
    private final Map<String, Object> notes = new LinkedHashMap<>();

    /**
     * @param out the directory of this benchmark's files; made when the first one is written
     * @param quick whether smaller loads are wanted, to try the benchmark rather than to measure
     * @param input a recorded load that the user gave; benchmarks without use for it ignore it
     * @param progress where progress goes, for a person who waits
     */
    public BenchmarkContext(Path out, boolean quick, Optional<Path> input, PrintWriter progress) {
        this.out = out;
        this.quick = quick;
        this.input = input;
        this.progress = progress;
    }

    /** Whether smaller loads are wanted ({@code --quick}): figures are then no evidence, and the table says so. */
    public boolean quick() {
        return quick;
    }

    /** A recorded load to use instead of the one that the benchmark brings ({@code --input}). */
    public Optional<Path> input() {
        return input;
    }

    /** Says what is being done, to a person who waits. */
    public void progress(String message) {
        progress.println("  " + message);
        progress.flush();
    }

    /** Keeps a fact beside the rows in the JSON result: a parameter, a version, a table. The value must be plain JSON. */
    public void note(String name, Object value) {
        notes.put(name, value);
    }

    /** Writes a figure as {@code <name>.svg}. */
    public void draw(String name, Chart chart) throws IOException {
        Path file = directory().resolve(name + ".svg");
        Files.writeString(file, chart.toSvg());
        figures.add(file);
    }

    /** The directory for other files of this benchmark; it exists. */
    public Path directory() throws IOException {
        return Files.createDirectories(out);
    }

    /** The figures drawn so far. */
    public List<Path> figures() {
        return List.copyOf(figures);
    }

    /** The notes taken so far. */
    public Map<String, Object> notes() {
        return new LinkedHashMap<>(notes);
    }
}
