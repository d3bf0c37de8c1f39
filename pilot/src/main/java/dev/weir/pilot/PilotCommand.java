package dev.weir.pilot;

import dev.weir.pilot.uplink.UplinkSettings;
import dev.weir.protocol.Device;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Uids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir pilot}: runs one {@link Pilot}, or several, until they end. */
@Command(
        name = "pilot",
        mixinStandardHelpOptions = true,
        version = "weir pilot 0.1.0",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Takes jobs from Weir, one at a time for each slot, runs them on this machine and reports how they ended.",
            ""
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  echo amqp://user:password@broker:5672/%%2f | ./weir pilot --amqp-file - \\",
            "      --pool cpu --executables /opt/spd/bin --storage-root /data",
            "",
            "Without AMQP: ./weir pilot --gateway https://weir.site:8090 --token-file token \\",
            "      --pool cpu --executables /opt/spd/bin --storage-root /data",
            "A GPU node that takes CPU jobs when there are no GPU jobs: --pool gpu,cpu",
            "To end after the running job: touch <work-dir>/<id>/drain.",
            "On SIGTERM or Ctrl-C the running job is killed with all its processes, reported",
            "as killed (Weir tries it again elsewhere), and the pilot ends.",
            "",
            "Times are written as 500ms, 15s, 2m, 1h, 1d; sizes as 65536, 64K, 16M, 1G.",
            "Exit code: 0 when it was drained or ended by --max-idle or --max-jobs; 1 when",
            "it failed, e.g. because the broker stayed away; 2 for a wrong command line;",
            "143 after SIGTERM, 130 after Ctrl-C. More is in docs/PILOT.md."
        })
public final class PilotCommand implements Callable<Integer> {

    /** For the last line of output after a signal. */
    private static final long LAST_LINE_SECONDS = 2;

    @Spec
    private CommandSpec spec;

    @Mixin
    private GatewayAddress gateway = new GatewayAddress();

    @Mixin
    private BrokerOptions broker = new BrokerOptions();

    @Option(
            names = {"--pool", "--pools", "--queues"},
            paramLabel = "POOL",
            split = ",",
            defaultValue = Names.CPU_POOL,
            description =
                    "The pool to take jobs from: cpu, gpu, or another configured pool; several, comma-separated or repeated,"
                            + " are asked in this order; at most 32. Default: ${DEFAULT-VALUE}.")
    private List<String> pools;

    @Option(
            names = "--executables",
            paramLabel = "DIR",
            required = true,
            description =
                    "Only programs in this directory (or below) are run; repeat for more. A job names a program by its"
                            + " name (sha256sum), looked for in each directory in turn, or by its absolute path. Links that lead"
                            + " out of all these directories are refused.")
    private List<Path> executables;

    @Option(
            names = "--storage-root",
            paramLabel = "DIR",
            description =
                    "file: URLs may reach this directory and what is below; repeat for more, / allows all. Without any,"
                            + " jobs with file: URLs fail.")
    private List<Path> storageRoots = new ArrayList<>();

    @Option(
            names = "--http-host",
            paramLabel = "HOST",
            description =
                    "http: and https: URLs may name this server: host, host:port or *.domain; repeat for more, * allows all."
                            + " Without any, jobs with such URLs fail.")
    private List<String> httpHosts = new ArrayList<>();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description =
                    "The pilot's name, unique among all pilots: letters, digits and . _ : -, and not all. It becomes part of the"
                            + " names of outputs. Default: the host's name and a random part.")
    private String id;

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Run so many pilots in this process, 1 to 256, each with one job at a time. Their ids are that of --id"
                            + " with -1, -2 and so on; other options hold for each of them. Jobs see the number of their slot, from 0,"
                            + " as WEIR_SLOT. If one fails, the others finish"
                            + " their jobs and the process ends. Default: ${DEFAULT-VALUE}.")
    private int slots;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "What this node has: CPU or CPU+GPU. Default: CPU+GPU if it serves pool gpu, else CPU.")
    private String device;

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description =
                    "On a local disk: inputs, outputs under way and unconfirmed reports. May be shared by pilots of one"
                            + " user on one node; a pilot that starts finishes what dead ones left there. It must be this"
                            + " user's own and is closed to others. Default: weir-pilot/<host> in $XDG_STATE_HOME, or in"
                            + " ~/.local/state.")
    private Path workDirectory;

    @Option(
            names = "--heartbeat",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = DurationOption.class,
            description = "Interval of heartbeats; at most a quarter of a job's lease while it runs."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration heartbeat;

    @Option(
            names = "--max-idle",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = DurationOption.class,
            description = "End after so long without a job; 0 means never. Default: ${DEFAULT-VALUE}.")
    private Duration maxIdle;

    @Option(
            names = "--max-jobs",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many jobs; 0 means any number. Default: ${DEFAULT-VALUE}.")
    private long maxJobs;

    @Option(
            names = "--parent",
            paramLabel = "PID",
            description = "End (as on SIGTERM) when this process is gone: for programs that start pilots.")
    private Long parent;

    @Mixin
    private RunOptions run = new RunOptions();

    @Option(
            names = "--close-wait",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = DurationOption.class,
            description =
                    "At the end, how long to wait for the broker to confirm the last reports; what is not confirmed stays"
                            + " in --work-dir for the next start. Default: ${DEFAULT-VALUE}.")
    private Duration closeWait;

    @Option(
            names = "--json",
            description =
                    "Print one JSON object at the end: pilot_id, jobs, finished, failed, killed, cancelled, rejected,"
                            + " unconfirmed, reason.")
    private boolean json;

    /** For processes that want a pilot and no other command of Weir's: starts faster. */
    public static void main(String[] args) {
        int code = new CommandLine(new PilotCommand())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("weir pilot: " + failure.getMessage());
                    return command.getCommandSpec().exitCodeOnExecutionException();
                })
                .execute(args);
        System.exit(code);
    }

    @Override
    public Integer call() throws IOException {
        Slots pilots = pilots();
        CountDownLatch ended = new CountDownLatch(1);
        Thread onSignal = new Thread(() -> end(pilots, ended), "pilot-signal");
        Runtime.getRuntime().addShutdownHook(onSignal);
        if (parent != null) {
            followParent(pilots);
        }
        try {
            print(pilots.run());
            return 0;
        } finally {
            ended.countDown();
        }
    }

    /** Keeps the process alive at its end until the pilots have cleaned up and the last line is out. */
    private static void end(Slots pilots, CountDownLatch ended) {
        pilots.stop("the process got a signal to end");
        pilots.close();
        try {
            ended.await(LAST_LINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Slots pilots() throws IOException {
        try {
            if (slots < 1 || slots > Slots.MOST) {
                throw new IllegalArgumentException("--slots is 1 to " + Slots.MOST + ", got " + slots);
            }
            Secrets.hide();
            return new Slots(settings(), slots);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    PilotSettings settings() throws IOException {
        for (String pool : pools) {
            if (!Uids.isValid(pool)) {
                throw new IllegalArgumentException("--pool must be the name of a pool, got '" + pool + "'");
            }
        }
        Path work = workDirectory != null ? workDirectory : Node.workDirectory();
        String name = id != null ? id : Node.pilotId();
        return new PilotSettings(
                name,
                device(),
                work,
                storageRoots,
                httpHosts,
                heartbeat,
                maxIdle,
                maxJobs,
                closeWait,
                uplink(),
                run.settings(executables));
    }

    private UplinkSettings uplink() throws IOException {
        if (!gateway.isGiven()) {
            gateway.refuseAlone();
            return broker.settings(pools);
        }
        if (broker.isGiven()) {
            throw new IllegalArgumentException("give --gateway, or --amqp or --amqp-file, not both");
        }
        return gateway.settings(pools, broker.reconnectFor());
    }

    private Device device() {
        if (device == null) {
            return pools.contains(Names.GPU_POOL) ? Device.CPU_GPU : Device.CPU;
        }
        return switch (device) {
            case "CPU" -> Device.CPU;
            case "CPU+GPU" -> Device.CPU_GPU;
            default -> throw new IllegalArgumentException("--device is CPU or CPU+GPU, got '" + device + "'");
        };
    }

    private void followParent(Slots pilots) {
        Thread watch = new Thread(
                () -> {
                    ProcessHandle.of(parent)
                            .ifPresent(process -> process.onExit().join());
                    pilots.stop("process " + parent + " is gone");
                },
                "pilot-parent");
        watch.setDaemon(true);
        watch.start();
    }

    private void print(PilotSummary summary) {
        String line = json
                ? new String(Json.write(summary), StandardCharsets.UTF_8)
                : "Pilot " + summary.pilotId() + " ended: " + summary.reason() + ". Jobs: " + summary.jobs()
                        + ", finished "
                        + summary.finished() + ", failed " + summary.failed() + ", killed " + summary.killed()
                        + ", cancelled " + summary.cancelled() + ", rejected messages " + summary.rejected();
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
