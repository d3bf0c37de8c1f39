package dev.weir.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.plan.Fault;
import dev.weir.chaos.plan.Plan;
import dev.weir.chaos.plan.Step;
import dev.weir.chaos.world.World;
import dev.weir.testing.PrivateRabbit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir chaos}: all of Weir as processes, under load and random faults. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs all of Weir as processes, with a RabbitMQ and a PostgreSQL of its own, kills, pauses and disturbs them under load (or"
                    + " sends bad messages, with --hostile), and checks from outside that every file has exactly one outcome.",
            "",
            "Needs RabbitMQ's server on this machine. As root the disk of the checkpoints can be full, too. The exit code is 1 when"
                    + " something was violated."
        })
public final class ChaosCommand implements Callable<Integer> {

    private static final long MOST_HOSTILE = 5_000_000;
    private static final long MOST_FLOOD = 750_000;

    @Option(
            names = "--faults",
            paramLabel = "N",
            defaultValue = "10",
            description = "number of faults, 1 to 10000 (default: ${DEFAULT-VALUE})")
    private int faults;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "0",
            description = "the same seed gives the same faults at the same places (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--longest",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "the longest fault, 1 to 3600 (default: ${DEFAULT-VALUE})")
    private int longest;

    @Option(
            names = "--files",
            paramLabel = "N",
            defaultValue = "2000",
            description =
                    "files of one task, 50 to 100000; three such tasks are always open (default: ${DEFAULT-VALUE})")
    private int files;

    @Option(
            names = "--within",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "when Weir must have sent a new job after everything is back; the report also counts by the goal of"
                            + " 5 s (default: ${DEFAULT-VALUE})")
    private int within;

    @Option(
            names = "--one-process",
            description = "run Weir's jobs with ./weir run, instead of on a JobManager and a TaskManager")
    private boolean oneProcess;

    @Option(
            names = "--hostile",
            paramLabel = "N",
            defaultValue = "0",
            description = "instead of faults: send N bad messages, up to 5000000, beside good ones;"
                    + " each must be rejected with a reason, or do no harm")
    private long hostile;

    @Option(
            names = "--hostile-rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "at most N bad messages a second (default: as fast as Weir takes them)")
    private int hostileRate;

    @Option(
            names = "--flood",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "instead of faults: push N items, up to 750000, into one queue as fast as it takes them, twice; beside"
                            + " the second time datasets and another queue must go on as fast as without")
    private long flood;

    @Option(names = "--plan", description = "print the faults and exit")
    private boolean planOnly;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "chaos-results",
            description = "directory for logs and report.json; it must be empty or absent (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--json", description = "print the report as one JSON object on the last line")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        check();
        PrintWriter terminal = spec.commandLine().getOut();
        if (planOnly) {
            plan(true)
                    .forEach(step -> terminal.println(
                            step.number() + " after " + step.pause().toSeconds() + " s: " + step));
            terminal.flush();
            return 0;
        }
        if (!PrivateRabbit.isInstalled()) {
            throw new IOException("there is no RabbitMQ server on this machine; install the package rabbitmq-server");
        }
        emptyDirectory();
        PrintWriter progress = spec.commandLine().getErr();
        say(progress, "starting RabbitMQ, PostgreSQL, DSM, Weir and pilots in " + out.toAbsolutePath());
        Map<String, Object> report;
        try (World world = new World(out, !oneProcess, files)) {
            if (hostile > 0) {
                report = hostile(world, progress);
            } else if (flood > 0) {
                report = flood(world, progress);
            } else {
                report = faults(world, progress);
            }
            show(terminal, report, world.logs());
        }
        String indented =
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report);
        Files.writeString(out.resolve("report.json"), indented + "\n");
        if (json) {
            terminal.println(new ObjectMapper().writeValueAsString(report));
        }
        terminal.flush();
        return report.get("violations").equals(0) ? 0 : 1;
    }

    private Map<String, Object> faults(World world, PrintWriter progress) throws Exception {
        List<Step> plan = plan(world.hasSmallDisk());
        plan.forEach(step -> say(progress, "plan: " + step.number() + " " + step));
        ChaosRun run = new ChaosRun(world, Duration.ofSeconds(within), line -> say(progress, line));
        long start = System.nanoTime();
        run.run(plan);
        return Report.of(arguments(), world, run, (System.nanoTime() - start) / 1e9);
    }

    private Map<String, Object> hostile(World world, PrintWriter progress) throws Exception {
        HostileRun run = new HostileRun(world, line -> say(progress, line));
        long start = System.nanoTime();
        run.run(hostile, hostileRate, seed);
        say(progress, "no more bad messages: waiting for " + world.wfms().open() + " tasks");
        List<Violation> violations = new ArrayList<>(run.violations());
        violations.addAll(new Ending(world).judge(List.of()));
        return Report.of(arguments(), world, run, violations, (System.nanoTime() - start) / 1e9);
    }

    private Map<String, Object> flood(World world, PrintWriter progress) throws Exception {
        FloodRun run = new FloodRun(world, line -> say(progress, line));
        long start = System.nanoTime();
        run.run(flood);
        List<Violation> violations = new ArrayList<>(run.violations());
        violations.addAll(new Ending(world).judge(List.of()));
        return Report.of(arguments(), world, run, violations, (System.nanoTime() - start) / 1e9);
    }

    private void check() {
        require(flood >= 0 && flood <= MOST_FLOOD, "--flood must be from 1 to " + MOST_FLOOD);
        require(flood == 0 || hostile == 0, "--flood and --hostile do not go together");
        require(hostile >= 0 && hostile <= MOST_HOSTILE, "--hostile must be from 1 to " + MOST_HOSTILE);
        require(hostileRate >= 0, "--hostile-rate must be 0 or more");
        require(faults >= 1 && faults <= 10_000, "--faults must be from 1 to 10000");
        require(longest >= 1 && longest <= 3600, "--longest must be from 1 to 3600");
        require(files >= 50 && files <= 100_000, "--files must be from 50 to 100000");
        require(within >= 1, "--within must be 1 or more");
    }

    private void require(boolean good, String otherwise) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private void emptyDirectory() throws IOException {
        Files.createDirectories(out);
        try (Stream<Path> content = Files.list(out)) {
            if (content.findAny().isPresent()) {
                throw new IOException(out.toAbsolutePath() + " is not empty; remove it, or name another with --out");
            }
        }
    }

    private List<Step> plan(boolean smallDisk) {
        return Plan.draw(seed, faults, Duration.ofSeconds(longest), Fault.Kind.all(!oneProcess, smallDisk));
    }

    private Map<String, Object> arguments() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (flood > 0) {
            arguments.put("flood", flood);
        } else {
            arguments.put(hostile > 0 ? "hostile" : "faults", hostile > 0 ? hostile : faults);
            arguments.put("seed", seed);
            arguments.put(hostile > 0 ? "hostile_rate" : "longest_s", hostile > 0 ? hostileRate : longest);
        }
        arguments.put("files_of_a_task", files);
        arguments.put("weir", oneProcess ? "one process" : "JobManager and TaskManager");
        return arguments;
    }

    private static void show(PrintWriter terminal, Map<String, Object> report, Map<String, String> logs) {
        Report.lines(report).forEach(terminal::println);
        logs.forEach((of, where) -> terminal.println("Logs of " + of + ": " + where));
        terminal.flush();
    }

    private static void say(PrintWriter progress, String line) {
        progress.println("  " + line);
        progress.flush();
    }
}
