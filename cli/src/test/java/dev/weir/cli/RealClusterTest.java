package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.job.options.AmqpOptions;
import dev.weir.protocol.Json;
import dev.weir.protocol.Registration;
import dev.weir.testing.LightPilots;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands for session clusters, with real processes that have only Flink on their class path, and the jar for clusters. Needs that
 * jar, which {@code ./mvnw -pl job -am package} makes.
 */
@Timeout(600)
class RealClusterTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int FILES = 300;
    /** Of two; the task t5 is in the other. */
    private static final int LANE_OF_T1 = 1;

    /** Small, and quick to start; a test of minutes needs no second compiler. */
    private static final List<String> SMALL = List.of(
            "-D", "jobmanager.memory.process.size=768m",
            "-D", "taskmanager.memory.process.size=1200m",
            "-D", "taskmanager.memory.managed.size=192m",
            // For both jobs with two subtasks each.
            "-D", "taskmanager.numberOfTaskSlots=4",
            "-D", "execution.checkpointing.interval=500ms");

    @TempDir
    Path directory;

    private ScratchBroker broker;
    private ScratchDatabase database;
    private Path data;

    @BeforeEach
    void prepare() throws Exception {
        Path home = Path.of("").toAbsolutePath();
        while (!Files.exists(home.resolve("mvnw"))) {
            home = home.getParent();
        }
        System.setProperty("weir.home", home.toString());
        broker = ScratchBroker.create();
        database = ScratchDatabase.create();
        data = directory.resolve("cluster");
        Path conf = Files.createDirectories(directory.resolve("conf"));
        Path given = home.resolve("flink-conf");
        Files.copy(given.resolve("log4j2-cluster.properties"), conf.resolve("log4j2-cluster.properties"));
        Files.writeString(
                conf.resolve("config.yaml"),
                Files.readString(given.resolve("config.yaml"))
                        .replace(
                                "-XX:+UseG1GC -XX:+UseTransparentHugePages",
                                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"));
    }

    @AfterEach
    void stop() throws Exception {
        assertThat(weir("cluster", "stop", "--data", data.toString()).exit()).isZero();
        broker.close();
        database.close();
    }

    private record Answer(int exit, String out, String err) {

        JsonNode json() throws Exception {
            assertThat(exit).as(err).isZero();
            return JSON.readTree(out.lines().reduce((earlier, later) -> later).orElse(""));
        }
    }

    private static Answer weir(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Weir.commandLine()
                .setExecutionExceptionHandler(new FailureMessage())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Answer(exit, out.toString(), err.toString());
    }

    private Answer cluster(String command, String... more) {
        List<String> all = new ArrayList<>(List.of("cluster", command, "--data", data.toString(), "--json"));
        all.addAll(List.of(more));
        return weir(all.toArray(String[]::new));
    }

    private JsonNode start() throws Exception {
        List<String> all =
                new ArrayList<>(List.of("--conf", directory.resolve("conf").toString(), "--timeout", "300"));
        all.addAll(SMALL);
        return cluster("start", all.toArray(String[]::new)).json();
    }

    /** Settings that all jobs of this test have; the number of lanes must stay. */
    private String twoLanes(String... more) throws Exception {
        List<String> all = new ArrayList<>(List.of("weir.lanes: 2"));
        all.addAll(Arrays.asList(more));
        return settings(all.toArray(String[]::new));
    }

    /** A weir.yaml with the names of this test, and the given lines. */
    private String settings(String... more) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "weir.amqp.uri: \"" + broker.uri() + "\"",
                "weir.postgres.url: \"" + database.jdbcUrl() + "\"",
                "weir.postgres.user: \"" + database.user() + "\"",
                "weir.postgres.password: \"" + database.password() + "\"",
                "weir.dsm.url: http://127.0.0.1:1",
                "weir.amqp.queue.jobs-prefix: \"" + broker.name("jobs.") + "\""));
        for (ConfigOption<String> name : AmqpOptions.NAMES) {
            lines.add(name.key() + ": \"" + broker.name(name.defaultValue()) + "\"");
        }
        broker.name("jobs.cpu");
        broker.name("jobs.gpu");
        broker.name("jobs.more");
        lines.addAll(Arrays.asList(more));
        return Files.write(directory.resolve("weir.yaml"), lines).toString();
    }

    private static List<Long> pids(JsonNode state) {
        List<Long> pids = new ArrayList<>();
        state.path("processes").forEach(process -> pids.add(process.path("pid").asLong()));
        return pids;
    }

    /** The ids of the TaskManagers that the JobManager knows. */
    private Set<String> taskManagers() throws Exception {
        URI rest = URI.create(cluster("status").json().path("rest").asText());
        JsonNode all = Json.mapper().readTree(rest.resolve("taskmanagers").toURL());
        return Set.copyOf(all.path("taskmanagers").findValuesAsText("id"));
    }

    /** RocksDB's. */
    private List<Path> workingCopies() throws Exception {
        try (Stream<Path> all = Files.walk(data.resolve("working"))) {
            return all.filter(path -> path.getFileName().toString().contains("_uuid_"))
                    .toList();
        }
    }

    private void sendTask(String uid) throws Exception {
        String targets = IntStream.range(0, FILES)
                .mapToObj(i ->
                        "{\"name\":\"f%d\",\"storage_url\":\"file:///in\",\"path\":\"f%d\",\"size\":1}".formatted(i, i))
                .collect(Collectors.joining(","));
        String task = """
                {"uid":"%s","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"in","dat_out_uid":"%s.out",
                 "dat_stor_url":"file:///out","dat_out_url":"out/%s","targets":[%s]}""".formatted(uid, uid, uid, targets);
        try (Connection connection = broker.connect();
                Channel channel = connection.createChannel()) {
            channel.basicPublish("", broker.name("weir.tasks"), null, task.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void awaitClosed(String uid) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                database.rows("SELECT state, jobs_finished FROM task_all WHERE uid = '" + uid + "'"))
                        .containsExactly(List.of("closed", String.valueOf(FILES))));
    }

    /** Of the scheduling function in the job that was submitted first. */
    private int parallelism(JsonNode submitted) throws Exception {
        URI rest = URI.create(cluster("status").json().path("rest").asText());
        String job = submitted.path("jobs").path(0).path("id").asText();
        try (InputStream answer = rest.resolve("jobs/" + job).toURL().openStream()) {
            for (JsonNode vertex : JSON.readTree(answer).path("vertices")) {
                if (vertex.path("name").asText().startsWith("Schedule")) {
                    return vertex.path("parallelism").asInt();
                }
            }
        }
        throw new AssertionError("job " + job + " has no scheduling function");
    }

    /** The task in it, as a table and as JSON. */
    private static void assertStateShows(String savepoint) throws Exception {
        JsonNode lane = null;
        for (JsonNode one : weir("state", savepoint, "--json").json().path("lanes")) {
            lane = one.path("tasks").isEmpty() ? lane : one;
        }
        assertThat(lane).as("a lane with tasks").isNotNull();
        assertThat(lane.path("lane").asInt()).isEqualTo(LANE_OF_T1);
        assertThat(lane.path("damaged")).isEmpty();
        JsonNode task = lane.path("tasks").path(0);
        assertThat(task.path("uid").asText()).isEqualTo("t1");
        assertThat(task.path("datasetFiles").asLong()).isEqualTo(FILES);
        assertThat(task.path("counts").path("finished").asLong()).isPositive();
        assertThat(lane.path("tables").path("progress").path("entries").asLong())
                .isEqualTo(1);
        assertThat(weir("state", savepoint).out()).contains("Lane " + LANE_OF_T1 + ": 1 open tasks", "t1    cpu");
        assertThat(weir("state", savepoint + "-none").err()).contains("cannot be read as a savepoint");
    }

    @Test
    void weirRunsOnASessionClusterOverASavepointAndTheDeathsOfItsProcesses() throws Exception {
        JsonNode first = start();
        assertThat(pids(first)).hasSize(2).doesNotContain(0L);
        assertThat(pids(start())).as("a second start").isEqualTo(pids(first));

        assertThat(cluster("restore", "--config", twoLanes()).err()).contains("nothing to restore");
        JsonNode submitted = weir(
                        "submit", "--data", data.toString(), "--config", twoLanes("parallelism.default: 2"), "--json")
                .json();
        assertThat(parallelism(submitted)).isEqualTo(2);
        assertThat(submitted.path("jobs").findValuesAsText("name")).containsExactly("schedule", "mirror");
        assertThat(submitted.path("jobs").findValuesAsText("startedFrom")).containsOnly("empty state");
        assertThat(weir("submit", "--data", data.toString(), "--config", twoLanes())
                        .err())
                .contains("already");

        Set<String> jobs = new HashSet<>();
        try (LightPilots pilots = new LightPilots(
                broker,
                "cpu",
                broker.name("jobs.cpu"),
                broker.name("weir.reports"),
                3,
                Duration.ofMillis(10),
                false,
                job -> true)) {
            sendTask("t1");
            await().atMost(PATIENCE).until(() -> pilots.ran() > FILES / 4);
            JsonNode savepoints = cluster("savepoint", "--stop").json();
            String savepoint = savepoints.path("schedule").asText();
            assertThat(savepoint).contains("/checkpoints/schedule/savepoint-");
            assertStateShows(savepoint);

            JsonNode restored = cluster(
                            "restore",
                            "--config",
                            twoLanes(
                                    "weir.scheduling.window: 40",
                                    "weir.scheduling.chunk-files: 7",
                                    "weir.pools: [cpu, gpu, more]"))
                    .json();
            assertThat(restored.path("jobs").findValuesAsText("startedFrom"))
                    .containsExactly(
                            savepoints.path("schedule").asText(),
                            savepoints.path("mirror").asText());
            assertThat(parallelism(restored)).as("as config.yaml says").isEqualTo(1);
            sendTask("t5");
            awaitClosed("t1");
            awaitClosed("t5");

            long taskManager = pids(cluster("status").json()).get(1);
            Set<String> known = taskManagers();
            ProcessHandle.of(taskManager).orElseThrow().destroyForcibly();
            await().atMost(PATIENCE).until(() -> cluster("status").exit() == 1);
            sendTask("t2");
            List<Path> left = workingCopies();
            assertThat(left).as("what a killed TaskManager leaves").isNotEmpty();
            assertThat(pids(start())).startsWith(pids(first).get(0)).doesNotContain(taskManager);
            assertThat(left).noneMatch(Files::exists);
            assertThat(taskManagers()).as("known as soon as start ends").anyMatch(id -> !known.contains(id));
            awaitClosed("t2");

            ProcessHandle.of(pids(first).get(0)).orElseThrow().destroyForcibly();
            await().atMost(PATIENCE).until(() -> cluster("status").exit() == 1);
            start();
            var again = weir(
                            "submit",
                            "--data",
                            data.toString(),
                            "--config",
                            twoLanes("parallelism.default: 2"),
                            "--json")
                    .json();
            assertThat(again.path("jobs").findValuesAsText("startedFrom"))
                    .allSatisfy(from -> assertThat(from).contains("/chk-"));
            assertThat(parallelism(again)).as("raised after a crash").isEqualTo(2);
            sendTask("t3");
            awaitClosed("t3");
        }
        Set<String> ids = new HashSet<>();
        Set<String> closed = new HashSet<>();
        // The mirror and the DSM have sinks of their own: a task may be seen closed before its registrations come.
        await().atMost(PATIENCE).until(() -> {
            readRegistrations(ids, jobs, closed);
            return closed.size() >= 4;
        });
        assertThat(closed).hasSize(4);
        assertThat(jobs).as("jobs with a registered output").hasSize(4 * FILES);
        assertThat(broker.drain(broker.name("weir.rejected"))).isEmpty();

        List<Long> last = pids(cluster("status").json());
        assertThat(cluster("stop").json().path("ended")).hasSize(2);
        assertThat(last)
                .noneMatch(
                        pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
        assertThat(cluster("stop").json().path("ended")).isEmpty();
    }

    /** Takes the registrations that wait; those of files go into {@code jobs}, of datasets into {@code closed}. */
    private void readRegistrations(Set<String> ids, Set<String> jobs, Set<String> closed) throws Exception {
        for (byte[] message : broker.drain(broker.name("dsm.register"))) {
            Registration registration = Json.read(message, Registration.class);
            boolean isNew = ids.add(registration.id());
            if (registration instanceof Registration.File file) {
                jobs.add(file.jobUid());
                assertThat(isNew && closed.contains(file.datasetUid()))
                        .as("%s is registered after the close of its dataset", file.path())
                        .isFalse();
            } else if (registration instanceof Registration.Close close) {
                closed.add(close.datasetUid());
            }
        }
    }

    @Test
    void anErrorOfTheStartIsReportedWithItsReason() throws Exception {
        Answer refused = weir("submit", "--rest", "http://127.0.0.1:1", "--config", settings("weir.lanes: 0"));
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("invalid settings").contains("lanes must be from 1");

        Answer none = weir("submit", "--data", data.toString(), "--config", settings());
        assertThat(none.err()).contains("no cluster was started in").contains("./weir cluster start");

        Answer away = weir("submit", "--rest", "http://127.0.0.1:1", "--config", settings());
        assertThat(away.err()).contains("no Flink answers at http://127.0.0.1:1");
    }
}
