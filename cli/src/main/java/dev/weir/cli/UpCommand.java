package dev.weir.cli;

import dev.weir.cli.embedded.DataDirectory;
import dev.weir.cli.embedded.LocalWeir;
import dev.weir.cli.embedded.PilotProcesses;
import dev.weir.job.ConfigFile;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir up}: everything on this machine, until interrupted. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts broker, database, DSM and Flink with Weir's jobs on this machine, and stays until interrupted.",
            "",
            "Started again with the same directory it goes on where it stopped, also after a crash."
        },
        footer = {
            "",
            "Datasets are made with: curl -X POST DSM/dataset -d '{\"uid\": \"run7\", \"directory\": \"DATA/datasets/run7\"}'",
            "Tasks are sent to exchange weir with key tasks; see docs/PROTOCOL.md."
        })
final class UpCommand implements Callable<Integer> {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Where everything is kept; made if absent. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--fresh",
            description = "Forget queues, messages, tables and checkpoints first. Datasets and outputs stay.")
    private boolean fresh;

    @Option(
            names = "--pilots",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Start so many CPU pilots as well. They run what is in --executables. Default: ${DEFAULT-VALUE}.")
    private int pilots;

    @Option(
            names = "--executables",
            paramLabel = "DIR",
            description =
                    "Programs that the pilots may run; repeat for more. Default: executables in the data directory.")
    private List<Path> executables = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A weir.yaml with further settings; where the services are stays our own choice.")
    private Path config;

    @Option(
            names = "--json",
            description =
                    "Print one line first: gateway, flink, amqp, postgres, dsm, token; amqp and postgres with passwords.")
    private boolean json;

    @Mixin
    private PortOptions ports = new PortOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (pilots < 0) {
            throw new ParameterException(spec.commandLine(), "--pilots must be 0 or more, got " + pilots);
        }
        Configuration settings = config == null ? new Configuration() : ConfigFile.read(config);
        Interruption interruption = Interruption.watch();
        try (DataDirectory directory = DataDirectory.open(data)) {
            LogFile.in(directory.logs());
            if (fresh) {
                directory.forgetState();
            }
            try (LocalWeir weir = LocalWeir.start(directory, ports.ports(), settings);
                    PilotProcesses children = pilots(weir)) {
                weir.startJobs(UpCommand::waysOut);
                for (int i = 1; i <= pilots; i++) {
                    children.start("local-" + i, List.of(Names.CPU_POOL), "CPU");
                }
                tell(weir);
                return Stay.untilInterrupted(
                        weir.jobs(),
                        interruption,
                        json ? null : spec.commandLine().getOut(),
                        "Stop it with Ctrl-C; start it again with the same --data and it goes on.",
                        spec.commandLine().getErr(),
                        directory.logs().resolve("weir.log"));
            } finally {
                interruption.stopping();
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (interruption.isBeforeReady()) {
                spec.commandLine().getErr().println("Stopped while starting.");
                return Interruption.EXIT_CODE;
            }
            throw e;
        }
    }

    /** There is no way to name another checkpoint; but one that has been moved away is not looked at. */
    static String waysOut(String job) {
        return "move the directory it is in away, and the job goes on from the one before, if there is one, and forgets"
                + " what came since; or start empty with ./weir up --fresh, which deletes queues with their messages,"
                + " tables and the checkpoints of all jobs, and leaves datasets and outputs";
    }

    private PilotProcesses pilots(LocalWeir weir) throws IOException {
        DataDirectory directory = weir.data();
        Files.createDirectories(directory.executables());
        return new PilotProcesses(
                weir.broker().uri(),
                directory.root().resolve("pilots"),
                directory.logs(),
                executables.isEmpty() ? List.of(directory.executables()) : executables,
                List.of(directory.datasets(), directory.storage()));
    }

    private void tell(LocalWeir weir) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(new String(Json.write(weir.addresses()), StandardCharsets.UTF_8));
        } else {
            DataDirectory directory = weir.data();
            out.println("Flink:     " + weir.addresses().flink());
            out.println("Broker:    amqp://weir@127.0.0.1:" + weir.broker().port() + "  (password in "
                    + directory.brokerPasswordFile() + ")");
            out.println("Database:  " + weir.databaseShown() + "  (password in " + weir.passwordFile() + ")");
            out.println("DSM:       " + weir.addresses().dsm() + "  (datasets below " + directory.datasets() + ")");
            out.println("Logs:      " + directory.logs());
            weir.jobs()
                    .all()
                    .forEach(job -> out.println("Job " + job.name() + " "
                            + job.restoredFrom()
                                    .map(from -> "goes on from " + from)
                                    .orElse("starts empty")));
        }
        out.flush();
    }
}
