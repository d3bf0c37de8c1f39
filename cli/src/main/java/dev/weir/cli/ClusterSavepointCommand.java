package dev.weir.cli;

import dev.weir.cli.cluster.Savepoints;
import dev.weir.cli.console.JsonLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir cluster savepoint}. */
@Command(
        name = "savepoint",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes a savepoint of each of Weir's jobs that runs on the cluster, and prints their paths.",
            "",
            "Before an upgrade or a change of settings use --stop: each job ends with its savepoint in its checkpoint directory, and the next submit"
                    + " or restore continues from there. To keep it elsewhere, copy it once the job has ended."
        })
final class ClusterSavepointCommand implements Callable<Integer> {

    @Mixin
    private ClusterAddress address;

    @Option(names = "--stop", description = "End each job with its savepoint, the schedule job first.")
    private boolean stop;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description =
                    "Directory or URI that the cluster's processes can write to; each job has its own in it. Not with --stop. Default: the jobs'"
                            + " checkpoint directories, where the next start looks; from elsewhere, start with --from.")
    private String to;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How long to wait for each savepoint, 1 to 86400. Default: ${DEFAULT-VALUE}.")
    private int timeout;

    @Option(names = "--json", description = "Print the paths as one JSON line: {\"schedule\": PATH, \"mirror\": PATH}.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (timeout < 1 || timeout > 86_400) {
            throw new ParameterException(spec.commandLine(), "--timeout must be from 1 to 86400");
        }
        if (stop && to != null) {
            // The next start looks in the job's directory, and would go on from an older savepoint there.
            throw new ParameterException(
                    spec.commandLine(),
                    "--stop leaves each savepoint in the job's checkpoint directory, where the next start looks, so it cannot be used with --to;"
                            + " copy the savepoint once the job has ended");
        }
        Map<String, String> made = new Savepoints(address.flink())
                .make(stop, Optional.ofNullable(to).map(ClusterSavepointCommand::uri), Duration.ofSeconds(timeout));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonLine.print(out, made);
        } else {
            made.forEach((job, path) -> out.println("Job " + job + (stop ? " ended with " : ": ") + path));
            out.flush();
        }
        return 0;
    }

    /** Flink takes a path without a scheme as one of its default file system, which need not be this machine's. */
    private static String uri(String directory) {
        return URI.create(directory.replace(" ", "%20")).getScheme() != null
                ? directory
                : "file://" + Path.of(directory).toAbsolutePath().normalize();
    }
}
