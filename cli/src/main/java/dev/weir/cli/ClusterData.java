package dev.weir.cli;

import dev.weir.cli.cluster.ClusterFiles;
import dev.weir.cli.cluster.LocalCluster;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The directory of a cluster on this machine. */
final class ClusterData {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data/cluster",
            description =
                    "Directory of the cluster on this machine: checkpoints, logs, process ids. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    ClusterFiles files() {
        try {
            return ClusterFiles.in(data);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    LocalCluster cluster() {
        return new LocalCluster(files());
    }
}
