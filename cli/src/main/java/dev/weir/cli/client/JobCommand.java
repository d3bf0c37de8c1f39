package dev.weir.cli.client;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir job}: jobs through the gateway. */
@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Lists and shows jobs, one for each file of a task, and prints their logs.",
        footer = {"", "Example: ./weir job list run7 --status Failed", "         ./weir job log JOB"},
        subcommands = {JobListCommand.class, JobShowCommand.class, JobLogCommand.class})
public final class JobCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is required; ./weir job --help lists them.");
    }
}
