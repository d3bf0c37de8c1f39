package dev.weir.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import sun.misc.Signal;

/** {@code ./weir bench [NAME…]}: measures, prints a table, and writes JSON and figures. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description =
                "Measures Weir against its goals and writes JSON and figures. Without names it runs every benchmark.")
public final class BenchCommand implements Callable<Integer> {

    private static final int EXIT_CODE_OF_A_SIGNAL = 130;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "benchmarks to run; --list shows the names")
    private List<String> names = List.of();

    @Option(names = "--list", description = "list the benchmarks and exit")
    private boolean list;

    @Option(names = "--quick", description = "use small loads to try a benchmark out; the figures are not comparable")
    private boolean quick;

    @Option(names = "--strict", description = "exit with code 1 when a goal is missed")
    private boolean strict;

    @Option(
            names = "--write-docs",
            description = "keep JSON and figures in docs/ and rewrite the tables of docs/BENCHMARKS.md")
    private boolean writeDocs;

    @Option(names = "--json", description = "print the results as one JSON object on the last line")
    private boolean json;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "bench-results",
            description = "directory for JSON and figures (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--input", paramLabel = "FILE", description = "a recorded load, for the benchmarks that accept one")
    private Path input;

    @Option(names = "--files", paramLabel = "N", description = "how many files, for the benchmarks of datasets")
    private Long files;

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description =
                    "for the benchmark of the gateway: fills this database of the server if it is not there, uses it as it is otherwise, and keeps it")
    private String database;

    @Option(names = "--width", paramLabel = "COLUMNS", description = "width of the table (default: COLUMNS, else 80)")
    private Integer width;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        // A server may close a connection that has rested. A client learns that with its next request, and Java sends
        // only a GET again.
        System.setProperty("jdk.httpclient.enableAllMethodRetry", "true");
        PrintWriter terminal = spec.commandLine().getOut();
        List<Benchmark> known = ServiceLoader.load(Benchmark.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Benchmark::name))
                .toList();
        if (list) {
            known.forEach(one -> terminal.printf("%-16s %s%n", one.name(), one.description()));
            return 0;
        }
        if (writeDocs && quick) {
            throw new ParameterException(
                    spec.commandLine(), "--write-docs keeps real results; it cannot be combined with --quick");
        }
        List<Outcome> outcomes = new ArrayList<>();
        stopAtSignal();
        for (Benchmark benchmark : chosen(known)) {
            if (!Thread.currentThread().isInterrupted()) {
                outcomes.add(measure(benchmark, spec.commandLine().getErr()));
            }
        }
        boolean isStopped = Thread.interrupted();
        Map<String, Object> result = write(outcomes);
        terminal.print(new Table(columns()).render(outcomes));
        terminal.println("Machine: " + Machine.describe() + (quick ? " (--quick: figures are not comparable)" : ""));
        terminal.println("Results and figures: " + out.toAbsolutePath());
        if (json) {
            terminal.println(new ObjectMapper().writeValueAsString(result));
        }
        terminal.flush();
        // What was measured is shown even if the page cannot be written.
        if (writeDocs) {
            writeDocs(outcomes);
        }
        boolean failed = outcomes.stream().anyMatch(one -> one.failure().isPresent());
        boolean missed = outcomes.stream().anyMatch(one -> one.count("missed") > 0);
        return isStopped ? EXIT_CODE_OF_A_SIGNAL : failed || (strict && missed) ? 1 : 0;
    }

    /** Ctrl-C and {@code kill} end the benchmark at hand, which then removes its queues and databases. A second one ends the process at once. */
    private static void stopAtSignal() {
        Thread main = Thread.currentThread();
        AtomicBoolean isStopping = new AtomicBoolean();
        for (String signal : new String[] {"INT", "TERM"}) {
            Signal.handle(new Signal(signal), number -> {
                if (isStopping.getAndSet(true)) {
                    Runtime.getRuntime().halt(EXIT_CODE_OF_A_SIGNAL);
                }
                main.interrupt();
            });
        }
    }

    private List<Benchmark> chosen(List<Benchmark> known) {
        if (names.isEmpty()) {
            return known;
        }
        Map<String, Benchmark> byName = known.stream().collect(Collectors.toMap(Benchmark::name, one -> one));
        return names.stream()
                .distinct()
                .map(name -> Optional.ofNullable(byName.get(name))
                        .orElseThrow(() -> new ParameterException(
                                spec.commandLine(),
                                "There is no benchmark '" + name + "'; there are: "
                                        + known.stream().map(Benchmark::name).collect(Collectors.joining(", ")))))
                .toList();
    }

    private Outcome measure(Benchmark benchmark, PrintWriter progress) {
        progress.println(benchmark.name() + ": " + benchmark.description());
        progress.flush();
        BenchmarkContext context = new BenchmarkContext(
                out.resolve(benchmark.name()),
                quick,
                Optional.ofNullable(input),
                files == null ? OptionalLong.empty() : OptionalLong.of(files),
                Optional.ofNullable(database),
                progress);
        long start = System.nanoTime();
        List<Row> rows = List.of();
        Optional<String> failure = Optional.empty();
        try {
            rows = List.copyOf(benchmark.run(context));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failure = Optional.of("interrupted");
        } catch (Exception reason) {
            failure = Optional.of(reason.toString());
            progress.println("  failed: " + reason);
            if (System.getenv("WEIR_TRACE") != null) {
                reason.printStackTrace(progress);
            }
            progress.flush();
        }
        double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Outcome(benchmark.name(), rows, context.figures(), context.notes(), seconds, failure);
    }

    private Map<String, Object> write(List<Outcome> outcomes) throws IOException {
        Map<String, Object> machine = Machine.facts();
        ObjectMapper pretty = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        for (Outcome outcome : outcomes) {
            Path directory = Files.createDirectories(out.resolve(outcome.name()));
            Map<String, Object> file = new LinkedHashMap<>(outcome.toJson(true));
            file.put("quick", quick);
            file.put("machine", machine);
            pretty.writeValue(directory.resolve("result.json").toFile(), file);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("benchmarks", outcomes.stream().map(one -> one.toJson(false)).toList());
        all.put("met", outcomes.stream().mapToLong(one -> one.count("met")).sum());
        all.put(
                "missed",
                outcomes.stream().mapToLong(one -> one.count("missed")).sum());
        all.put(
                "failed",
                outcomes.stream().filter(one -> one.failure().isPresent()).count());
        all.put("quick", quick);
        all.put("machine", machine);
        return all;
    }

    /** Keeps the results for the page; of a failed benchmark the page keeps the earlier result. */
    private void writeDocs(List<Outcome> outcomes) throws IOException {
        ResultsPage page = new ResultsPage(Path.of(System.getProperty("weir.home", ""), "docs"));
        for (Outcome outcome : outcomes) {
            if (outcome.failure().isEmpty()) {
                page.keep(outcome, out.resolve(outcome.name()));
            }
        }
        page.write();
    }

    private int columns() {
        if (width != null) {
            return width;
        }
        String given = System.getenv("COLUMNS");
        return given != null && given.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(given) : 80;
    }
}
