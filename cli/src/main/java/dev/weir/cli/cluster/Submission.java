package dev.weir.cli.cluster;

import dev.weir.job.FlinkDefaults;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.options.Secrets;
import dev.weir.job.options.Settings;
import dev.weir.job.start.JobStart;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.StateRecoveryOptions;

/** Sends Weir's jobs to a session cluster: uploads the jar, and runs it once for each job. */
public final class Submission {

    /** Flink starts the tasks further after it; this is how long somebody waits for them. */
    private static final Duration RUNNING_LIMIT = Duration.ofMinutes(2);

    private static final Duration LOOK = Duration.ofMillis(300);
    private static final String SUPPORTED = "2.3.";

    private final FlinkCluster flink;
    private final Path jar;

    /**
     * A submitted job that runs.
     *
     * @param name schedule, mirror or queues
     * @param startedFrom its checkpoint or savepoint, or "empty state"
     */
    public record Submitted(String name, String id, String startedFrom) {}

    public Submission(FlinkCluster flink, Home home) throws IOException {
        this.flink = flink;
        this.jar = home.jobJar();
    }

    /**
     * Submits the jobs, and waits until all their tasks run.
     *
     * @param settings of weir.yaml; secrets in files are read here and sent with the request
     * @param only the one job to submit; empty for all
     * @param restore whether a job without any checkpoint is refused
     * @param tell receives warnings, one line at a time
     * @throws IllegalArgumentException when a setting is invalid
     * @throws IOException when the cluster refuses a job, one runs already, or not all tasks run within two minutes
     */
    public List<Submitted> submit(
            Configuration settings, Optional<String> only, StartFrom from, boolean restore, Consumer<String> tell)
            throws IOException {
        Settings.check(FlinkDefaults.under(settings));
        List<WeirJob> jobs = jobs(settings, only);
        refuseRunning(jobs);
        String version = flink.version();
        if (!version.startsWith(SUPPORTED)) {
            tell.accept("the cluster runs Flink " + version + "; Weir is made for " + SUPPORTED + "x");
        }
        String uploaded = flink.upload(jar);
        List<Submitted> submitted = new ArrayList<>();
        try {
            for (WeirJob job : jobs) {
                String id = flink.run(
                        uploaded, arguments(settings, job, from, restore, only.isPresent()), parallelism(settings));
                submitted.add(new Submitted(
                        job.name(), id, flink.parameters(id).getOrDefault(JobStart.STARTED_FROM, "unknown")));
            }
        } catch (RuntimeException e) {
            delete(uploaded, tell);
            throw e;
        } catch (IOException e) {
            // Of one that has not answered the program may go on, and needs it.
            if (!(e.getCause() instanceof HttpTimeoutException)) {
                delete(uploaded, tell);
            }
            throw submitted.isEmpty() ? e : new IOException(alone(submitted) + e.getMessage(), e);
        }
        delete(uploaded, tell);
        for (Submitted job : submitted) {
            awaitRunning(job);
        }
        return submitted;
    }

    private void delete(String uploaded, Consumer<String> tell) {
        try {
            flink.deleteJar(uploaded);
        } catch (IOException e) {
            tell.accept("the jar " + uploaded + " stays with the cluster: " + e.getMessage());
        }
    }

    private static List<WeirJob> jobs(Configuration settings, Optional<String> only) {
        List<WeirJob> jobs = WeirJob.of(settings).stream()
                .filter(job -> only.map(job.name()::equals).orElse(true))
                .toList();
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("there is no job " + only.orElse("") + " to submit: "
                    + MirrorOptions.ENABLED.key() + " is " + settings.get(MirrorOptions.ENABLED)
                    + ", " + QueueOptions.ENABLED.key() + " is " + settings.get(QueueOptions.ENABLED)
                    + ", and the jobs are " + WeirJob.names());
        }
        return jobs;
    }

    private void refuseRunning(List<WeirJob> jobs) throws IOException {
        for (ClusterJob running : flink.weirJobs()) {
            if (running.ofWeir().filter(jobs::contains).isPresent()) {
                throw new IOException(
                        "job '" + running.name() + "' is " + running.state() + " at " + flink.rest()
                                + " already; stop it with ./weir cluster savepoint --stop, or submit only the others with --job");
            }
        }
    }

    private static String alone(List<Submitted> submitted) {
        return "submitted and running: "
                + submitted.stream().map(Submitted::name).collect(Collectors.joining(", "))
                + "; the rest was not submitted (do it with --job): ";
    }

    static List<String> arguments(Configuration settings, WeirJob job, StartFrom from, boolean restore, boolean alone) {
        List<String> arguments = new ArrayList<>(List.of("--job", job.name()));
        if (from.fresh()) {
            arguments.add("--fresh");
        }
        if (from.acceptLoss()) {
            arguments.add("--accept-loss");
        }
        if (restore) {
            arguments.add("--restore");
        }
        String path = from.given().get(job.name());
        if (path != null) {
            arguments.addAll(List.of("--from", job.name() + "=" + path));
        }
        Map<String, String> all = withSecrets(settings);
        if (!alone && !job.equals(WeirJob.SCHEDULE)) {
            // Each of them is submitted alone, but what the settings or the cluster's name is not for all of them.
            all.put(StateRecoveryOptions.SAVEPOINT_PATH.key(), "");
        }
        all.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return arguments;
    }

    /** The files of secrets are on this machine. */
    private static Map<String, String> withSecrets(Configuration settings) {
        Map<String, String> all = new TreeMap<>(settings.toMap());
        read(settings, all, AmqpOptions.PASSWORD_FILE, AmqpOptions.PASSWORD);
        read(settings, all, MirrorOptions.PASSWORD_FILE, MirrorOptions.PASSWORD);
        return all;
    }

    private static void read(
            Configuration settings, Map<String, String> all, ConfigOption<String> file, ConfigOption<String> itself) {
        if (settings.contains(file)) {
            all.put(itself.key(), Secrets.read(settings, file, itself));
            all.remove(file.key());
        }
    }

    /** Flink's REST API would take 1 instead of what config.yaml of the cluster says. */
    private Optional<Integer> parallelism(Configuration settings) throws IOException {
        return settings.contains(CoreOptions.DEFAULT_PARALLELISM)
                ? Optional.of(settings.get(CoreOptions.DEFAULT_PARALLELISM))
                : flink.setting(CoreOptions.DEFAULT_PARALLELISM.key())
                        .filter(text -> text.matches("\\d{1,5}"))
                        .map(Integer::valueOf);
    }

    private void awaitRunning(Submitted job) throws IOException {
        long deadline = System.nanoTime() + RUNNING_LIMIT.toNanos();
        while (true) {
            List<String> missing = flink.tasksNotRunning(job.id());
            if (missing.isEmpty()) {
                return;
            }
            boolean over = new ClusterJob(job.id(), job.name(), flink.state(job.id())).isOver();
            if (over || System.nanoTime() > deadline) {
                throw new IOException("job " + job.name() + " (" + job.id() + ") was submitted, but "
                        + (over ? "has ended" : "not all its tasks run after " + RUNNING_LIMIT.toMinutes() + " minutes")
                        + ": " + missing.get(0)
                        + flink.lastFailure(job.id())
                                .map(failure -> ". Its last failure: " + failure)
                                .orElse(". If it waits for slots, start more TaskManagers")
                        + ". See " + flink.rest()
                        + "#/job/running/" + job.id());
            }
            Pause.of(LOOK);
        }
    }
}
