package dev.weir.cli.client;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir task}: tasks through the gateway. */
@Command(
        name = "task",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Sends, shows and steers tasks through the gateway.",
            "",
            "Its address and a token come from the file that ./weir up writes, or from WEIR_GATEWAY and WEIR_TOKEN or WEIR_TOKEN_FILE."
        },
        footer = {
            "",
            "Example:",
            "    ./weir task send task.json",
            "    ./weir task list --state open --watch",
            "    ./weir task why run7",
            "    ./weir task rank run7 50"
        },
        subcommands = {
            TaskSendCommand.class,
            TaskListCommand.class,
            TaskShowCommand.class,
            TaskWhyCommand.class,
            TaskRankCommand.class,
            TaskActions.Pause.class,
            TaskActions.Resume.class,
            TaskActions.Cancel.class,
            TaskActions.Close.class,
            TaskActions.Retry.class
        })
public final class TaskCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is required; ./weir task --help lists them.");
    }
}
