package dev.weir.cli;

import dev.weir.cli.client.FeedCommand;
import dev.weir.cli.client.JobCommand;
import dev.weir.cli.client.LimitsCommand;
import dev.weir.cli.client.PilotsCommand;
import dev.weir.cli.client.PoolsCommand;
import dev.weir.cli.client.RejectedCommand;
import dev.weir.cli.client.StatusCommand;
import dev.weir.cli.client.TaskCommand;
import dev.weir.cli.client.WorkerCommand;
import dev.weir.dsm.DsmCommand;
import dev.weir.pilot.PilotCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code ./weir}: finds the command named on the command line and runs it. */
@Command(
        name = "weir",
        mixinStandardHelpOptions = true,
        version = "weir 0.1.0",
        description = "A continuous, fair scheduler for high-throughput computing.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            UpCommand.class,
            StatusCommand.class,
            TaskCommand.class,
            JobCommand.class,
            PilotsCommand.class,
            PoolsCommand.class,
            LimitsCommand.class,
            RejectedCommand.class,
            RunCommand.class,
            SubmitCommand.class,
            ClusterCommand.class,
            StateCommand.class,
            PilotCommand.class,
            WorkerCommand.class,
            FeedCommand.class,
            DsmCommand.class,
            GatewayCommand.class,
            PlaceCommand.class,
            TestCommand.class,
            HelpCommand.class,
        })
public final class Weir implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Called without a command, which is an error. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is required; ./weir --help lists them.");
    }

    /** The command line with all of its commands. */
    public static CommandLine commandLine() {
        return DeveloperCommands.addTo(new CommandLine(new Weir())).setParameterExceptionHandler(new UsageMessage());
    }

    /** Runs one command and exits with its code: 0 on success, 2 for an invalid command line, 141 when the reader of its output has gone, 1 for any other failure. */
    public static void main(String[] args) {
        shareThreads();
        int code = commandLine()
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(new FailureMessage())
                .execute(args);
        System.exit(code);
    }

    /**
     * With two processors Java starts a thread for each task that names no executor, such as the end of an HTTP request. That takes longer than
     * the request; with a pool of two there is one to take it.
     */
    private static void shareThreads() {
        String key = "java.util.concurrent.ForkJoinPool.common.parallelism";
        if (Runtime.getRuntime().availableProcessors() <= 2 && System.getProperty(key) == null) {
            System.setProperty(key, "2");
        }
    }
}
