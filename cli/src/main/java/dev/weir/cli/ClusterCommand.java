package dev.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir cluster}: a real Flink cluster on this machine. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Runs a Flink session cluster on this machine: a JobManager and TaskManagers as separate processes, which stay after"
                    + " this command. Savepoint and restore also work with any other session cluster (--rest).",
            "",
            "It has no job at first: ./weir submit sends Weir's jobs to it."
        },
        footer = {
            "",
            "Example:",
            "    ./weir cluster start",
            "    ./weir submit --config flink-conf/weir.yaml",
            "    ./weir cluster savepoint --stop",
            "    ./weir cluster restore --config flink-conf/weir.yaml",
            "    ./weir cluster stop"
        },
        subcommands = {
            ClusterStartCommand.class,
            ClusterStopCommand.class,
            ClusterStatusCommand.class,
            ClusterSavepointCommand.class,
            ClusterRestoreCommand.class
        })
final class ClusterCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is required; ./weir cluster --help lists them.");
    }
}
