package dev.weir.cli;

import dev.weir.cli.cluster.FlinkCluster;
import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** A session cluster: the one of a data directory, or any other by its address. */
final class ClusterAddress {

    @Option(
            names = "--rest",
            paramLabel = "URL",
            description =
                    "Address of a session cluster's REST API, as in http://jobmanager:8081. Default: the cluster that"
                            + " ./weir cluster start has started in --data.")
    private URI rest;

    @Mixin
    private ClusterData data;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    FlinkCluster flink() throws IOException {
        if (rest == null) {
            return new FlinkCluster(data.cluster()
                    .rest()
                    .orElseThrow(() -> new IOException("no cluster was started in "
                            + data.files().root()
                            + "; start one with ./weir cluster start, or give the address of another with --rest")));
        }
        if (rest.getHost() == null || !("http".equals(rest.getScheme()) || "https".equals(rest.getScheme()))) {
            throw new ParameterException(
                    spec.commandLine(), "--rest needs an address as in http://jobmanager:8081, not '" + rest + "'");
        }
        return new FlinkCluster(rest);
    }
}
