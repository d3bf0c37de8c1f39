package dev.weir.cli;

import dev.weir.cli.embedded.DataDirectory;
import dev.weir.cli.embedded.EmbeddedFlink;
import dev.weir.cli.embedded.FreePort;
import dev.weir.cli.embedded.LocalConfiguration;
import dev.weir.cli.embedded.WeirJobs;
import dev.weir.job.ConfigFile;
import dev.weir.job.Services;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir run}: the Flink jobs in this process, with existing services. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs Weir's Flink jobs in this process, with the broker, database and DSM named in a weir.yaml.",
            "",
            "A new start continues from the newest complete checkpoint."
        },
        footer = {"", "Example: ./weir run --config flink-conf/weir.yaml"})
final class RunCommand implements Callable<Integer> {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "File with the settings; flink-conf/weir.yaml explains each of them.")
    private Path config;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data/run",
            description =
                    "Directory for logs and working files, and for checkpoints unless execution.checkpointing.dir is set."
                            + " Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--fresh",
            description = "Start with empty state. The earlier checkpoints are renamed, not deleted.")
    private boolean fresh;

    @Option(
            names = "--from",
            paramLabel = "JOB=PATH",
            description =
                    "Start the job schedule, mirror or queues from this savepoint or checkpoint; repeat for others."
                            + " Repeated after a crash, it continues from newer checkpoints.")
    private Map<String, String> from = new TreeMap<>();

    @Option(
            names = "--accept-loss",
            description =
                    "If the newest checkpoint is damaged, continue from an older one, and if Weir has since run with another"
                            + " directory, continue from this one, though it may be empty. The tasks, commands and reports that were acknowledged"
                            + " since are lost. Without it such a start is refused.")
    private boolean acceptLoss;

    @Option(
            names = "--flink-port",
            paramLabel = "PORT",
            description = "Port of Flink's web UI; by default rest.port of the settings, else a free one.")
    private Integer flinkPort;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        StartFrom start = startFrom();
        Configuration given = ConfigFile.read(config);
        Interruption interruption = Interruption.watch();
        try (DataDirectory directory = DataDirectory.open(data)) {
            Path log = LogFile.in(directory.logs());
            Configuration all = LocalConfiguration.complete(given, directory.flink(), webPort(given));
            Services.prepare(all, start.withFlinksOwn(all, WeirJob.of(all)));
            try (EmbeddedFlink flink = EmbeddedFlink.start(all);
                    WeirJobs jobs = WeirJobs.submit(flink, all, start, RunCommand::waysOut)) {
                tell(flink, jobs, log);
                return Stay.untilInterrupted(
                        jobs,
                        interruption,
                        spec.commandLine().getOut(),
                        "Stop it with Ctrl-C; a new start continues from there.",
                        spec.commandLine().getErr(),
                        log);
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

    static String waysOut(String job) {
        return "continue from the newest one that can be read with ./weir run --accept-loss, which loses what was acknowledged since;"
                + " or name one with ./weir run --from " + job
                + "=PATH; or start all jobs with empty state with ./weir run --fresh, which loses the open tasks";
    }

    private StartFrom startFrom() {
        try {
            return new StartFrom(fresh, from, acceptLoss);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int webPort(Configuration given) throws IOException {
        if (flinkPort != null) {
            return FreePort.orAny(flinkPort);
        }
        return given.getOptional(RestOptions.PORT).isPresent() ? given.get(RestOptions.PORT) : FreePort.any();
    }

    private void tell(EmbeddedFlink flink, WeirJobs jobs, Path log) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Flink: " + flink.web());
        out.println("Log:   " + log);
        jobs.all()
                .forEach(job -> out.println("Job " + job.name() + " "
                        + job.restoredFrom()
                                .map(from -> "continues from " + from)
                                .orElse("starts with empty state")));
        out.flush();
    }
}
