package dev.weir.cli;

import dev.weir.cli.console.Output;
import dev.weir.cli.demo.Demo;
import dev.weir.cli.demo.DemoResult;
import dev.weir.cli.demo.DemoSettings;
import dev.weir.cli.embedded.DataDirectory;
import dev.weir.pilot.DurationOption;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir demo}: runs a complete Weir for about a minute. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a complete Weir locally on real files with real programs, and ends by itself.",
            "",
            "Tasks with ranks 8, 4, 2 and 1 share three CPU pilots; one runs on a GPU pilot; one program fails on some files; one"
                    + " task merges the outputs of another. At the end it checks DSM's catalogue and the disk, and prints a table with"
                    + " the outcome of every task's files."
        },
        footer = {"", "Exit code: 0 only if every task closed and every file has exactly one outcome."})
final class DemoCommand implements Callable<Integer> {

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Number of tasks that read files, at least 4; every fifth runs on the GPU pilot, and one more task merges. Default: ${DEFAULT-VALUE}.")
    private int tasks;

    @Option(
            names = "--files",
            paramLabel = "N",
            defaultValue = "64",
            description = "Number of files of each task. Default: ${DEFAULT-VALUE}.")
    private int files;

    @Option(
            names = "--pilots",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of pilots; the last one has a GPU. Default: ${DEFAULT-VALUE}.")
    private int pilots;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data/demo",
            description = "Directory for outputs and logs; those of an earlier demo are deleted."
                    + " Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationOption.class,
            description =
                    "Time after which the demo stops and reports the unfinished tasks: 90s, 10m, 1h. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(
            names = "--json",
            description = "Print the summary as one JSON object; all other output goes to standard error.")
    private boolean json;

    @Mixin
    private PortOptions ports = new PortOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintStream people = json ? System.err : System.out;
        Interruption interruption = Interruption.watch();
        try (DataDirectory directory = DataDirectory.open(data)) {
            LogFile.in(directory.logs());
            DemoResult result;
            try (Demo demo = new Demo(settings(), directory, people, isTerminal())) {
                try {
                    result = demo.run();
                } catch (InterruptedException | RuntimeException | IOException e) {
                    if (interruption.isSignalled()) {
                        people.println("Interrupted; stopping ...");
                        return Interruption.EXIT_CODE;
                    }
                    throw e;
                } finally {
                    // The orderly stop follows, which no signal may interrupt.
                    interruption.stopping();
                }
                people.println();
                result.table().forEach(people::println);
                result.complaints().forEach(people::println);
                if (json) {
                    System.out.println(new String(Json.write(result.summary()), StandardCharsets.UTF_8));
                    Output.flush(spec.commandLine().getOut());
                }
            }
            return result.isGood() ? 0 : 1;
        }
    }

    /** Whether standard output is a terminal that can move its cursor. */
    private static boolean isTerminal() {
        String term = System.getenv("TERM");
        return System.console() != null && term != null && !term.equals("dumb");
    }

    private DemoSettings settings() {
        try {
            return new DemoSettings(data, tasks, files, pilots, timeout, ports.ports());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
