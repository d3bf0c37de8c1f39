package dev.weir.tools;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.simulator.SeedResult;
import dev.weir.simulator.Shrinker;
import dev.weir.simulator.Simulation;
import dev.weir.simulator.Simulator;
import dev.weir.simulator.queue.QueueSimulation;
import dev.weir.simulator.scenario.Cut;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.world.Tamper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir sim}: runs the cores under simulated faults, and prints how to replay each violation. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        description =
                "Runs the scheduling core, or that of the queues, in a simulated world with faults, one scenario per seed, and"
                        + " checks after every event that no work is lost, done twice, shared unfairly or stuck.")
public final class SimCommand implements Callable<Integer> {

    /** Maximum number of failing seeds that are shrunk and explained; all are counted. */
    private static final int EXPLAINED = 3;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1000",
            description = "number of seeds (default: ${DEFAULT-VALUE})")
    private long seeds;

    @Option(
            names = "--from",
            paramLabel = "S",
            defaultValue = "0",
            description = "the first seed (default: ${DEFAULT-VALUE})")
    private long from;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of seeds that run at once (default: one per processor)")
    private Integer threads;

    @Option(
            names = "--without",
            paramLabel = "FAULT",
            split = ",",
            description = "faults to leave out: ${COMPLETION-CANDIDATES}")
    private Set<Fault> without = Set.of();

    @Option(names = "--tasks", paramLabel = "INDEX", split = ",", description = "run only these tasks of each seed")
    private Set<Integer> tasks;

    @Option(names = "--files", paramLabel = "N", description = "maximum number of files of a dataset")
    private Integer files;

    @Option(names = "--pilots", paramLabel = "N", description = "maximum number of pilots of a pool")
    private Integer pilots;

    @Option(
            names = "--queues",
            description =
                    "run the core of the queues; the options about faults, tasks, files and pilots are not for it")
    private boolean queues;

    @Option(names = "--trace", description = "print every event and effect; for one seed")
    private boolean trace;

    @Option(names = "--no-shrink", negatable = false, description = "do not shrink failing seeds to smaller cases")
    private boolean noShrink;

    @Option(names = "--json", description = "print the result as one JSON object on the last line")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Cut cut = new Cut(
                without, tasks, files == null ? Integer.MAX_VALUE : files, pilots == null ? Integer.MAX_VALUE : pilots);
        PrintWriter out = spec.commandLine().getOut();
        Consumer<String> tracer = trace ? out::println : null;
        int workers = trace ? 1 : threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        long start = System.nanoTime();
        Simulator.Summary summary;
        try (ProgressBar bar = bar()) {
            LongFunction<SeedResult> run = queues
                    ? seed -> QueueSimulation.run(seed, tracer)
                    : seed -> Simulation.run(seed, cut, Tamper.NONE, tracer);
            summary = Simulator.run(from, seeds, workers, run, done -> bar.step());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(
                "%,d seeds, %,d events (%,d a seed), %d with violations; %.1f s, %,d events/s%n",
                summary.seeds(),
                summary.events(),
                summary.events() / summary.seeds(),
                summary.bad().size(),
                seconds,
                (long) (summary.events() / seconds));
        explain(summary, cut, out);
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(result(summary)));
        }
        out.flush();
        return summary.bad().isEmpty() ? 0 : 1;
    }

    private void check() {
        if (seeds < 1 || threads != null && threads < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds and --threads must be 1 or more");
        }
        boolean cuts = !without.isEmpty() || tasks != null || files != null || pilots != null;
        if (queues && cuts) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--without, --tasks, --files and --pilots are not for --queues: leave them out");
        }
        if (trace && seeds != 1) {
            throw new ParameterException(spec.commandLine(), "--trace is for one seed: add --seeds 1");
        }
    }

    /** Into a file it would be thousands of characters on one line. */
    private ProgressBar bar() {
        boolean hidden = trace || System.console() == null;
        return new ProgressBarBuilder()
                .setTaskName("sim")
                .setInitialMax(seeds)
                .setUpdateIntervalMillis(500)
                .setConsumer(hidden ? new me.tongfei.progressbar.DelegatingProgressBarConsumer(line -> {}) : null)
                .build();
    }

    private void explain(Simulator.Summary summary, Cut cut, PrintWriter out) {
        List<SeedResult> bad = summary.bad().stream()
                .sorted(Comparator.comparingLong(SeedResult::events))
                .limit(EXPLAINED)
                .toList();
        for (SeedResult result : bad) {
            out.printf("%nseed %d: %s%n", result.seed(), result.violation().getMessage());
            Cut smaller = noShrink || trace || queues || !cut.equals(Cut.NONE) ? cut : Shrinker.shrink(result);
            if (!smaller.equals(cut)) {
                SeedResult small = Simulation.run(result.seed(), smaller, Tamper.NONE, null);
                out.printf(
                        "  %d events instead of %d: %s%n",
                        small.events(), result.events(), small.violation().getMessage());
            }
            out.printf(
                    "  replay: ./weir sim%s --from %d --seeds 1%s --trace%n",
                    queues ? " --queues" : "", result.seed(), smaller.options());
        }
        if (summary.bad().size() > bad.size()) {
            out.printf("%nand %d more%n", summary.bad().size() - bad.size());
        }
    }

    private static Map<String, Object> result(Simulator.Summary summary) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("seeds", summary.seeds());
        result.put("events", summary.events());
        result.put("violations", summary.bad().size());
        result.put(
                "first_bad_seed",
                summary.bad().isEmpty() ? null : summary.bad().get(0).seed());
        return result;
    }
}
