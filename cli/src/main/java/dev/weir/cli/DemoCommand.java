package dev.weir.cli;

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

/** {@code ./weir demo}: the whole of Weir at work, in a minute. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows Weir at work: everything on this machine, real files, real programs, and an end.",
            "",
            "Tasks with ranks 8, 4, 2 and 1 share three CPU pilots; one runs on a GPU pilot; one program fails on some files; one"
                    + " task merges what another has written. At the end a table says what became of every file, after a"
                    + " look at the catalogue and the disk."
        },
        footer = {"", "Exit code: 0 only if every task closed and nothing was lost or doubled."})
final class DemoCommand implements Callable<Integer> {

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Tasks that read files, from 4; every fifth is for GPU, and one more merges. Default: ${DEFAULT-VALUE}.")
    private int tasks;

    @Option(
            names = "--files",
            paramLabel = "N",
            defaultValue = "64",
            description = "Files of each task. Default: ${DEFAULT-VALUE}.")
    private int files;

    @Option(
            names = "--pilots",
            paramLabel = "N",
            defaultValue = "4",
            description = "Pilots, the last of them with a GPU. Default: ${DEFAULT-VALUE}.")
    private int pilots;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data/demo",
            description = "Where outputs and logs are afterwards; those of an earlier demo there are deleted."
                    + " Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationOption.class,
            description = "When to give up and say what hangs: 90s, 10m, 1h. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(names = "--json", description = "Print the summary as one JSON object; all else goes to standard error.")
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
                    // What follows ends what the demo has started, and nothing is to break that off.
                    interruption.stopping();
                }
                people.println();
                result.table().forEach(people::println);
                result.complaints().forEach(people::println);
                if (json) {
                    System.out.println(new String(Json.write(result.summary()), StandardCharsets.UTF_8));
                }
            }
            return result.isGood() ? 0 : 1;
        }
    }

    /** Whether somebody looks on, at something that can move its cursor. */
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
