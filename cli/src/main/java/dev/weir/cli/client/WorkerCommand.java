package dev.weir.cli.client;

import dev.weir.pilot.BytesOption;
import dev.weir.pilot.DurationOption;
import dev.weir.pilot.run.ItemLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./weir worker}. */
@Command(
        name = "worker",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Takes items from a queue and runs a program for each: its payload on standard input, its result from standard output.",
            "",
            "Exit code 0: the item is finished. Any other: it failed, with the last line on standard error as the reason, and is tried"
                    + " again as its queue has it. The program's environment has QUEUE, KEY, KIND, OWNER and ATTEMPT, and as WEIR_SLOT the number of its slot, from 0. Output that is not one"
                    + " JSON value becomes a JSON string.",
            ""
        },
        footer = {
            "",
            "Example: ./weir worker --queue scans --exec ./scan.sh --slots 4",
            "",
            "On SIGTERM or Ctrl-C the programs are ended, and their items go back at once without an attempt used.",
            "So it is when this machine cannot start the program, or has no room for it; then the worker ends with the reason."
        })
public final class WorkerCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerCommand.class);
    private static final int MOST_SLOTS = 256;

    /** For the last line of output after a signal. */
    private static final long LAST_LINE_SECONDS = 2;

    /** Leases end by themselves, so nobody need wait long for a worker that ends. */
    private static final Duration LAST_TRIES = Duration.ofSeconds(5);

    /** Until programs that were killed have gone and the gateway has answered. */
    private static final Duration LAST_ANSWERS = Duration.ofMinutes(1);

    private CommandSpec spec;

    /** What stands after an argument of the program is for the program, too. */
    @Spec
    void spec(CommandSpec given) {
        spec = given;
        given.parser().stopAtPositional(true);
    }

    @Option(names = "--queue", paramLabel = "NAME", required = true, description = "The queue to take items from.")
    private String queue;

    @Option(
            names = "--exec",
            paramLabel = "PROGRAM",
            required = true,
            description =
                    "The program to run. Arguments for it stand at the end of the line: all from the first that is no option, or after --.")
    private String program;

    @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "Arguments of the program.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = {"--kind", "--kinds"},
            paramLabel = "KIND",
            split = ",",
            description =
                    "Take only items of this kind; several, comma-separated or repeated. Default: all that the token allows.")
    private List<String> kinds = new ArrayList<>();

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many items at once, 1 to 256. Default: ${DEFAULT-VALUE}.")
    private int slots;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "1h",
            converter = DurationOption.class,
            description =
                    "A program that takes longer is ended, and its item failed. max_lease_s of the queue, a day unless set, bounds a run as well: an item"
                            + " that takes longer is given to another worker. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            defaultValue = "0",
            converter = BytesOption.class,
            description =
                    "Most memory of one program, all its processes together, looked at once a second. Linux only. 0 means no limit."
                            + " Default: ${DEFAULT-VALUE}.")
    private long maxMemoryBytes;

    @Option(
            names = "--kill-grace",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = DurationOption.class,
            description =
                    "Between SIGTERM and SIGKILL for a program's processes; before that, as long for processes that it left behind and that still"
                            + " print the result: if they do not end, the item has failed. Default: ${DEFAULT-VALUE}.")
    private Duration killGrace;

    @Option(
            names = "--max-items",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many items; 0 means any number. Default: ${DEFAULT-VALUE}.")
    private long maxItems;

    @Option(
            names = "--max-idle",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = DurationOption.class,
            description =
                    "End when no slot has had an item for so long; time without the gateway does not count. 0 means never."
                            + " Default: ${DEFAULT-VALUE}.")
    private Duration maxIdle;

    @Option(
            names = "--reconnect-for",
            paramLabel = "TIME",
            defaultValue = "1d",
            converter = DurationOption.class,
            description =
                    "How long to try without the gateway, or with a token that it no longer takes, before giving up; the token is read again"
                            + " meanwhile. Default: ${DEFAULT-VALUE}.")
    private Duration reconnectFor;

    @Mixin
    private Asking asking = new Asking();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new ParameterException(
                    spec.commandLine(), "--slots must be from 1 to " + MOST_SLOTS + ", got " + slots);
        }
        if (timeout.isZero() || timeout.isNegative()) {
            throw new ParameterException(
                    spec.commandLine(), "--timeout must be more than 0, got " + timeout.toMillis() + " ms");
        }
        requireProgram();
        GatewayClient gateway = asking.gateway();
        Path directory = Files.createTempDirectory("weir-worker-");
        List<String> command = new ArrayList<>(List.of(command()));
        command.addAll(arguments);
        Worker worker = new Worker(
                new QueueCalls(gateway, queue, kinds),
                new Worker.Settings(
                        command,
                        new ItemLimits(timeout, maxMemoryBytes, killGrace),
                        directory,
                        slots,
                        maxItems,
                        maxIdle,
                        reconnectFor,
                        LAST_TRIES));
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> end(worker, ended, killGrace.plus(LAST_ANSWERS)), "worker-signal"));
        try {
            Worker.Summary summary = worker.run();
            asking.tellAsLine(asking.json() ? summary.json() : summary.line(queue));
            return 0;
        } finally {
            ended.countDown();
            remove(directory);
        }
    }

    private static void remove(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            LOG.warn("{} cannot be removed: {}", directory, e.toString());
        }
    }

    /** A program that cannot be started would fail every item of the queue, whose fault it is not. */
    private void requireProgram() {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        boolean isThere = program.indexOf('/') >= 0
                ? isProgram(Path.of(program))
                : Arrays.stream(path.split(File.pathSeparator))
                        .anyMatch(directory -> isProgram(Path.of(directory, program)));
        if (!isThere) {
            throw new ParameterException(
                    spec.commandLine(), "--exec " + program + " is no program that can be started from here");
        }
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** A name with a slash is a path from here, as the program runs elsewhere. */
    private String command() {
        return program.indexOf('/') < 0
                ? program
                : Path.of(program).toAbsolutePath().normalize().toString();
    }

    /** Keeps the process alive until the items are back and the last line is out, or the time is over: leases end by themselves. */
    private static void end(Worker worker, CountDownLatch ended, Duration limit) {
        worker.stop();
        try {
            worker.awaitEnd(limit);
            ended.await(LAST_LINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
