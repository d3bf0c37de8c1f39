package dev.weir.cli.cluster;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A running session cluster, here or elsewhere. */
public final class FlinkCluster {

    private static final String CAUSE = "Caused by: ";
    private static final Duration UPLOAD_LIMIT = Duration.ofMinutes(5);

    /** The program prepares broker and database before the job starts, and reads all of a large checkpoint to see that it is whole. */
    private static final Duration RUN_LIMIT = Duration.ofHours(2);

    private final FlinkRest rest;

    /** @param rest as in {@code http://127.0.0.1:8081} */
    public FlinkCluster(URI rest) {
        this.rest = new FlinkRest(rest);
    }

    public URI rest() {
        return rest.base();
    }

    JsonNode overview() throws IOException {
        return rest.get("overview");
    }

    /** The ids and addresses of the TaskManagers that have registered, and are not known to have died. */
    Set<String> taskManagers() throws IOException {
        Set<String> ids = new HashSet<>();
        for (JsonNode taskManager : rest.get("taskmanagers").path("taskmanagers")) {
            ids.add(taskManager.path("id").asText() + " "
                    + taskManager.path("path").asText());
        }
        return ids;
    }

    public String version() throws IOException {
        return overview().path("flink-version").asText();
    }

    /** All jobs that it knows, also ended ones. */
    public List<ClusterJob> jobs() throws IOException {
        List<ClusterJob> jobs = new ArrayList<>();
        for (JsonNode job : rest.get("jobs/overview").path("jobs")) {
            jobs.add(new ClusterJob(
                    job.path("jid").asText(),
                    job.path("name").asText(),
                    job.path("state").asText()));
        }
        return jobs;
    }

    /** Weir's jobs that have not ended, the schedule job first. */
    public List<ClusterJob> weirJobs() throws IOException {
        return jobs().stream()
                .filter(job -> job.ofWeir().isPresent() && !job.isOver())
                .sorted(Comparator.comparing(ClusterJob::name).reversed())
                .toList();
    }

    /** A setting of the JobManager. */
    Optional<String> setting(String key) throws IOException {
        for (JsonNode entry : rest.get("jobmanager/config")) {
            if (entry.path("key").asText().equals(key)) {
                return Optional.of(entry.path("value").asText());
            }
        }
        return Optional.empty();
    }

    /** Uploads a jar, and returns its id there. */
    String upload(Path jar) throws IOException {
        try {
            String path = rest.upload("jars/upload", "jarfile", jar, UPLOAD_LIMIT)
                    .path("filename")
                    .asText();
            return path.substring(path.lastIndexOf('/') + 1);
        } catch (RestFailure e) {
            if (e.status() == 404 || e.status() == 405) {
                throw new IOException(
                        "the cluster at " + rest.base()
                                + " takes no jars (web.submit.enable is false in its config.yaml);"
                                + " switch that on, or submit the same jar with flink run",
                        e);
            }
            throw e;
        }
    }

    /** Runs an uploaded jar, and returns the id of the job that it has started. */
    String run(String jar, List<String> arguments, Optional<Integer> parallelism) throws IOException {
        ObjectNode request = FlinkRest.JSON.createObjectNode();
        arguments.forEach(request.putArray("programArgsList")::add);
        parallelism.ifPresent(number -> request.put("parallelism", number));
        return rest.post("jars/" + jar + "/run", request, RUN_LIMIT)
                .path("jobid")
                .asText();
    }

    void deleteJar(String jar) throws IOException {
        var unused = rest.delete("jars/" + jar);
    }

    /** The Flink tasks of a job that do not run, each with its state; empty if all run. */
    List<String> tasksNotRunning(String job) throws IOException {
        JsonNode details = rest.get("jobs/" + job);
        List<String> missing = new ArrayList<>();
        for (JsonNode vertex : details.path("vertices")) {
            String state = vertex.path("status").asText();
            if (!state.equals("RUNNING")) {
                missing.add(vertex.path("name").asText() + " is " + state);
            }
        }
        String state = details.path("state").asText();
        if (missing.isEmpty() && !state.equals("RUNNING")) {
            missing.add(details.path("name").asText() + " is " + state);
        }
        return missing;
    }

    /** The state of a job as Flink names it. */
    String state(String job) throws IOException {
        return rest.get("jobs/" + job).path("state").asText();
    }

    /** The reason of the last failure of a job: the innermost message. */
    Optional<String> lastFailure(String job) throws IOException {
        JsonNode entries = rest.get("jobs/" + job + "/exceptions?maxExceptions=1")
                .path("exceptionHistory")
                .path("entries");
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        String trace = entries.get(0).path("stacktrace").asText();
        return Optional.of(innermost(trace));
    }

    private static String innermost(String stackTrace) {
        return stackTrace
                .lines()
                .filter(line -> line.startsWith(CAUSE))
                .reduce((earlier, later) -> later)
                .map(line -> line.substring(CAUSE.length()))
                .orElse(stackTrace.lines().findFirst().orElse("without a reason"));
    }

    /** What a job says of itself: {@link dev.weir.job.start.JobStart#DIRECTORY} and more. */
    Map<String, String> parameters(String job) throws IOException {
        return FlinkRest.JSON.convertValue(
                rest.get("jobs/" + job + "/config").path("execution-config").path("user-config"),
                new TypeReference<>() {});
    }

    /**
     * Begins a savepoint.
     *
     * @param directory as a URI that the cluster's processes can write to
     * @param stop whether the job ends with it
     * @return the id of the request, for {@link #savepoint}
     */
    String requestSavepoint(String job, String directory, boolean stop) throws IOException {
        ObjectNode request = FlinkRest.JSON.createObjectNode();
        if (stop) {
            request.put("targetDirectory", directory).put("drain", false);
        } else {
            request.put("target-directory", directory).put("cancel-job", false);
        }
        return rest.post("jobs/" + job + (stop ? "/stop" : "/savepoints"), request)
                .path("request-id")
                .asText();
    }

    /**
     * The path of a requested savepoint, once it is complete.
     *
     * @throws IOException when it has failed
     */
    Optional<String> savepoint(String job, String request) throws IOException {
        JsonNode answer = rest.get("jobs/" + job + "/savepoints/" + request);
        if (!answer.path("status").path("id").asText().equals("COMPLETED")) {
            return Optional.empty();
        }
        JsonNode failure = answer.path("operation").path("failure-cause");
        if (!failure.isMissingNode()) {
            String trace = failure.path("stack-trace").asText(failure.toString());
            throw new IOException("the savepoint has failed: " + innermost(trace));
        }
        return Optional.of(answer.path("operation").path("location").asText());
    }
}
