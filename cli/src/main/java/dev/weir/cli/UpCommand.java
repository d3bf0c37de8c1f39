package dev.weir.cli;

import dev.weir.cli.embedded.DataDirectory;
import dev.weir.cli.embedded.LocalWeir;
import dev.weir.cli.embedded.PilotProcesses;
import dev.weir.job.ConfigFile;
import dev.weir.job.start.StartFrom;
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

/** {@code ./weir up}: a complete local Weir, until interrupted. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs broker, database, DSM, gateway and Flink with Weir's jobs locally until interrupted, and keeps the data.",
            "",
            "A new start with the same directory continues from the last state, also after a crash."
        },
        footer = {
            "",
            "Register a dataset with: curl DSM/dataset -H 'content-type: application/json'",
            "    -d '{\"uid\": \"run7\", \"directory\": \"DATA/datasets/run7\"}'",
            "Send a task with: ./weir task send task.json",
            "and see what becomes of it with: ./weir task list --watch",
            "docs/PROTOCOL.md explains the fields of a task.",
            "Work that is no dataset goes into queues, see docs/QUEUES.md: ./weir feed fills one, ./weir worker",
            "runs a program for each item."
        })
final class UpCommand implements Callable<Integer> {

    /** Where the commands that ask a gateway look by themselves. */
    private static final Path DEFAULT_ACCESS = Path.of("data/gateway/access.json");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Directory for all data; made if absent. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--fresh",
            description =
                    "Delete queues, messages, tables and checkpoints first. Files of datasets and outputs stay; the DSM forgets them."
                            + " Checkpoints in another execution.checkpointing.dir are renamed. Not with --accept-loss.")
    private boolean fresh;

    @Option(
            names = "--accept-loss",
            description =
                    "If the newest checkpoint is damaged, continue from an older one, and if there is none, with empty state."
                            + " The tasks, commands and reports that were acknowledged since are lost. Without it such a start is"
                            + " refused.")
    private boolean acceptLoss;

    @Option(
            names = "--pilots",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Number of CPU pilots to start. They run the programs in --executables. Default: ${DEFAULT-VALUE}.")
    private int pilots;

    @Option(
            names = "--executables",
            paramLabel = "DIR",
            description =
                    "Directory of programs that the pilots may run; repeatable. Default: executables in the data directory.")
    private List<Path> executables = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "A weir.yaml with further settings; addresses of services in it are ignored, and so are all settings weir.gateway.*.")
    private Path config;

    @Option(
            names = "--json",
            description =
                    "Print one JSON line first: gateway, flink, amqp, postgres, dsm, token; amqp and postgres with passwords.")
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
        StartFrom from = startFrom();
        Configuration settings = config == null ? new Configuration() : ConfigFile.read(config);
        Interruption interruption = Interruption.watch();
        try (DataDirectory directory = DataDirectory.open(data)) {
            LogFile.in(directory.logs());
            if (fresh) {
                directory.forgetState();
            }
            try (LocalWeir weir = LocalWeir.start(directory, ports.ports(), settings, from);
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
                        "Stop it with Ctrl-C; a new start with the same --data continues from there.",
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

    /** Where the settings name another directory of checkpoints, these belong to the deleted queues and tables, and must not be continued. */
    private StartFrom startFrom() {
        try {
            StartFrom from = fresh ? StartFrom.EMPTY : StartFrom.NEWEST;
            return acceptLoss ? from.withLossAccepted() : from;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** This command cannot name another checkpoint. */
    static String waysOut(String job) {
        return "continue from the newest one that can be read with ./weir up --accept-loss, which loses what was acknowledged"
                + " since; or start with empty state with ./weir up --fresh, which deletes queues with their messages,"
                + " tables and the checkpoints of all jobs; files of datasets and outputs stay; the DSM forgets them";
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
            out.println("Dashboard: " + weir.addresses().gateway() + "/  (token, valid until the next start: "
                    + weir.addresses().token() + ")");
            out.println("Gateway:   " + weir.addresses().gateway() + "/docs  (the same token)");
            out.println("           ./weir task, job, pilots, pools and limits use it"
                    + (directory.gatewayAccessFile().equals(DEFAULT_ACCESS.toAbsolutePath())
                            ? ""
                            : " with --access " + directory.gatewayAccessFile()));
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
                                    .map(from -> "continues from " + from)
                                    .orElse("starts with empty state")));
        }
        out.flush();
    }
}
