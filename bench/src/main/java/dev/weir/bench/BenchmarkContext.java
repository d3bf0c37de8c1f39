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
import java.util.OptionalLong;

/** The surroundings of one run of a {@link Benchmark}: output directory, the user's choices, figures and notes. For one thread. */
public final class BenchmarkContext {

    private final Path out;
    private final boolean quick;
    private final Optional<Path> input;
    private final OptionalLong files;
    private final Optional<String> database;
    private final PrintWriter progress;
    private final List<Path> figures = new ArrayList<>();
    private final Map<String, Object> notes = new LinkedHashMap<>();

    /**
     * @param out the directory of this benchmark's files; made when the first one is written
     * @param quick whether to use small loads, whose figures are not comparable
     * @param input a recorded load; benchmarks that cannot use one ignore it
     * @param files how many files to use ({@code --files}); benchmarks without files ignore it
     * @param database a loaded database to keep ({@code --database}); benchmarks that load none ignore it
     * @param progress receives progress messages
     */
    public BenchmarkContext(
            Path out,
            boolean quick,
            Optional<Path> input,
            OptionalLong files,
            Optional<String> database,
            PrintWriter progress) {
        this.out = out;
        this.quick = quick;
        this.input = input;
        this.files = files;
        this.database = database;
        this.progress = progress;
    }

    /** Whether to use small loads ({@code --quick}); their figures are not comparable, and the table says so. */
    public boolean quick() {
        return quick;
    }

    /** A recorded load that replaces the benchmark's own ({@code --input}). */
    public Optional<Path> input() {
        return input;
    }

    /** How many files to use instead of the benchmark's own number ({@code --files}). */
    public OptionalLong files() {
        return files;
    }

    /** The database to load, or to use as it was loaded before, and to keep ({@code --database}). */
    public Optional<String> database() {
        return database;
    }

    /** Prints a progress message. */
    public void progress(String message) {
        progress.println("  " + message);
        progress.flush();
    }

    /** Adds a fact to the JSON result: a parameter, a version, a table. The value must be plain JSON. */
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
