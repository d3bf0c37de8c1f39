package dev.weir.cli;

import dev.weir.cli.cluster.ClusterConfiguration;
import dev.weir.cli.cluster.ClusterState;
import dev.weir.cli.cluster.Home;
import dev.weir.cli.cluster.LocalCluster;
import dev.weir.cli.console.JsonLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir cluster start}. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts what does not run yet: the JobManager, and TaskManagers up to the given number. Repeat it, with the same options, to"
                    + " start a process again that has died; with the JobManager all TaskManagers start anew, unless high availability is"
                    + " set.",
            "",
            "Flink reads config.yaml; addresses, ports and directories in it are replaced by those of this machine: the loopback"
                    + " address, free ports, and --data. The REST API has no password and can run any program, so every user"
                    + " of this machine can act as you. Memory is that of config.yaml: 1 GB and 4 GB for each TaskManager."
        })
final class ClusterStartCommand implements Callable<Integer> {

    @Mixin
    private ClusterData data;

    @Option(
            names = "--task-managers",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of TaskManagers, 1 to 100; each has the slots that config.yaml gives it. Default: ${DEFAULT-VALUE}.")
    private int taskManagers;

    @Option(
            names = "--flink-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of Flink's web UI and REST API; by default that of the last start, or else a free one.")
    private int port;

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description = "Directory of config.yaml and log4j2-cluster.properties; flink-conf by default.")
    private Path configuration;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "YAML file with settings of Flink that override config.yaml and --data, such as"
                    + " flink-conf/examples/high-availability.yaml; repeatable, a later one counts more. ${NAME} in a value is replaced"
                    + " by an environment variable.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description =
                    "A setting of Flink that overrides config.yaml, --data and --settings; repeatable. It is visible in the list of"
                            + " processes. Only for the processes that are started.")
    private Map<String, String> settings = new TreeMap<>();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "180",
            description = "How long to wait until all processes know each other, 1 to 3600. Default: ${DEFAULT-VALUE}.")
    private int timeout;

    @Option(names = "--json", description = "Print the state of the cluster as one JSON line, as status does.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (taskManagers < 1 || taskManagers > 100) {
            throw new ParameterException(spec.commandLine(), "--task-managers must be from 1 to 100");
        }
        if (timeout < 1 || timeout > 3600) {
            throw new ParameterException(spec.commandLine(), "--timeout must be from 1 to 3600");
        }
        settings.forEach((key, value) -> {
            if ((key + value).chars().anyMatch(Character::isWhitespace)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "-D " + key
                                + " has a blank in its value; write it without (2s, 512m), or set it in config.yaml");
            }
        });
        LocalCluster cluster = data.cluster();
        Home home = Home.find();
        List<String> started = cluster.start(
                home,
                ClusterConfiguration.of(configuration == null ? home.configuration() : configuration, files, settings),
                taskManagers,
                port,
                Duration.ofSeconds(timeout));
        ClusterState state = cluster.state();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonLine.print(out, state);
        } else {
            out.println(started.isEmpty() ? "It runs already." : "Started " + String.join(", ", started) + ".");
            out.println("Flink: " + state.rest());
            out.println("Logs:  " + data.files().logs(""));
            out.flush();
        }
        return 0;
    }
}
