package dev.weir.cli.disaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.cli.disaster.FlakyStorage.Answer;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.TaskState;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What really happens to sites, done to a whole Weir: {@code ./weir run}, the reference DSM and pilots are processes, with the times of
 * production made short by settings.
 */
@Timeout(300)
class DisasterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Failed attempts of one job: more than a job would get if the number of its attempts counted. */
    private static final int MANY_ATTEMPTS = 12;

    /** By the time that is set, on a busy machine; less than by default. */
    private static final Duration SHOWN_WITHIN = Duration.ofSeconds(30);

    private static final int MUCH = 64 << 10;
    private static final int DISK = 16 << 20;
    private static final String UNANSWERED = "2s";

    @TempDir
    static Path directory;

    private static OwnServers servers;
    private static Site site;
    private static FlakyStorage storage;

    @BeforeAll
    static void start() throws Exception {
        storage = new FlakyStorage();
        servers = new OwnServers(directory);
        site = servers.site()
                .with("weir.scheduling.heartbeat", "1 s")
                .with("weir.scheduling.lease", "3 s")
                .with("weir.scheduling.attempt-slack", "3 s")
                .with("weir.scheduling.cool-off", "20 ms")
                .with("weir.scheduling.cool-off-max", "400 ms")
                .with("weir.scheduling.task-row-interval", "100 ms")
                .with("execution.checkpointing.interval", "500 ms");
        site.program("copy", "cat \"$1\"");
        site.program("much", "head -c " + MUCH + " /dev/zero");
        site.program("hang", "case \"$1:$2\" in *program*:1) sleep 600 ;; esac; cat \"$1\"");
        site.dsm("--stalled-after=2");
        site.run("-Xmx768m", "-XX:TieredStopAtLevel=1");
        for (String id : List.of("p1", "p2")) {
            site.pilot(id, "--http-host=127.0.0.1", "--transfer-tries=1", "--transfer-timeout=" + UNANSWERED);
        }
    }

    @AfterEach
    void storageIsWell() {
        storage.answer((method, path) -> Answer.GOOD);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
        storage.close();
    }

    @Test
    void aStorageThatIsAwayForLongGivesUpNoFileAndAllGoOnByThemselves() throws Exception {
        storage.answer((method, path) -> method.equals("GET") ? Answer.AWAY : Answer.GOOD);
        task("away", "copy", 40, "");
        awaitAway("away", "GET");
        storage.answer((method, path) -> Answer.GOOD);
        eventually(() -> assertThat(value("SELECT jobs_finished FROM task_all WHERE uid = 'away'"))
                .isPositive());

        long before = value("SELECT max(attempt) FROM job_all WHERE task_uid = 'away'");
        storage.answer((method, path) -> method.equals("PUT") ? Answer.AWAY : Answer.GOOD);
        assertThat(site.was(TaskState.CLOSED, "away")).as("over too early").isFalse();
        awaitAway("away", "PUT");
        assertThat(value("SELECT jobs_failed + jobs_killed + jobs_cancelled FROM task_all WHERE uid = 'away'"))
                .isZero();
        assertThat(before).isGreaterThan(MANY_ATTEMPTS);
        storage.answer((method, path) -> Answer.GOOD);

        JobCounts counts = closed("away");
        assertThat(counts.finished()).isEqualTo(40);
        assertThat(site.was(TaskState.CANCELLED, "away")).isFalse();
        awaitClosedAtDsm("away", 40);
    }

    /** Its row says why, and some job has failed more often than any number of retries that was ever allowed. */
    private static void awaitAway(String task, String method) {
        eventually(
                () -> assertThat(site.database().rows("SELECT why, why_text FROM task_all WHERE uid = '" + task + "'"))
                        .singleElement()
                        .asString()
                        .contains("storage, ", method, "503"));
        long failed = value("SELECT jobs_system_retries FROM task_all WHERE uid = '" + task + "'");
        eventually(() -> {
            assertThat(value("SELECT max(system_retries) FROM job_all WHERE task_uid = '" + task + "'"))
                    .isGreaterThan(MANY_ATTEMPTS);
            assertThat(value("SELECT jobs_system_retries FROM task_all WHERE uid = '" + task + "'"))
                    .isGreaterThan(failed + MANY_ATTEMPTS);
        });
        assertThat(site.was(TaskState.CLOSED, task)).isFalse();
    }

    @Test
    void anOutputThatOnlySeemsStoredIsNeverFinished() throws Exception {
        List<Answer> lies = List.of(Answer.LOGIN_PAGE, Answer.ACCEPTED, Answer.HALF, Answer.CUT);
        storage.answer((method, path) -> method.equals("PUT") && FlakyStorage.attempt(path) <= 1
                ? lies.get(numberIn(path) % lies.size())
                : Answer.GOOD);
        task("seems", "copy", 3 * lies.size(), "");

        JobCounts counts = closed("seems");
        assertThat(counts.finished()).isEqualTo(12);
        assertThat(counts.systemRetries()).isEqualTo(12);
        awaitClosedAtDsm("seems", 12);
        for (String path : registered("seems")) {
            assertThat(FlakyStorage.attempt(path)).isEqualTo(2);
            assertThat(storage.stored(path)).asString().isEqualTo(name("seems", numberIn(path)));
        }
    }

    @Test
    void aStorageThatIsFullTakesNoOutputForFinishedAndAllGoOnOnceThereIsRoom() throws Exception {
        Path full = Files.createDirectories(site.storage().resolve("full"));
        assumeTrue(ran("mount", "-t", "tmpfs", "-o", "size=200k", "none", full.toString()), "no right to mount");
        try {
            site.dataset("full", storage.url() + "/in", names("full", 8));
            site.task("full", "full", "much", "file://" + full, "");
            eventually(() -> assertThat(site.database().value("SELECT why_text FROM task_all WHERE uid = 'full'"))
                    .contains("No space left on device"));
            assertThat(site.was(TaskState.CLOSED, "full")).isFalse();
            assertThat(ran("mount", "-o", "remount,size=16m", full.toString())).isTrue();

            assertThat(closed("full").finished()).isEqualTo(8);
            awaitClosedAtDsm("full", 8);
            for (String path : registered("full")) {
                assertThat(Path.of(path)).hasSize(MUCH);
            }
        } finally {
            // Pilots may still look at it.
            assertThat(ran("umount", "-l", full.toString())).isTrue();
        }
    }

    @Test
    void aMachineThatFailsKeepsEveryOutputThatIsFinished() throws Exception {
        Path image = directory.resolve("disk.img");
        try (RandomAccessFile empty = new RandomAccessFile(image.toFile(), "rw")) {
            empty.setLength(DISK);
        }
        Path disk = Files.createDirectories(site.storage().resolve("disk"));
        Path after = Files.createDirectories(directory.resolve("after"));
        // By itself it puts nothing on its disk while the test runs.
        assumeTrue(
                ran("mkfs.ext4", "-q", image.toString())
                        && ran("mount", "-o", "loop,commit=600", image.toString(), disk.toString()),
                "no right to mount");
        try {
            site.program("letters", "head -c " + MUCH + " /dev/zero | tr '\\0' x");
            site.dataset("cut", storage.url() + "/in", names("cut", 8));
            site.task("cut", "cut", "letters", "file://" + disk, "");
            assertThat(closed("cut").finished()).isEqualTo(8);
            awaitClosedAtDsm("cut", 8);

            // As after a power cut: what is only in memory is not in the copy.
            Path copy = Files.copy(image, directory.resolve("copy.img"));
            assertThat(ran("mount", "-o", "loop", copy.toString(), after.toString()))
                    .isTrue();
            for (String path : registered("cut")) {
                assertThat(after.resolve(disk.relativize(Path.of(path)))).hasContent("x".repeat(MUCH));
            }
        } finally {
            ran("umount", "-l", after.toString());
            assertThat(ran("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean ran(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }

    @Test
    void anAttemptThatHangsInAnyPhaseEndsAndItsFileIsProcessed() throws Exception {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        site.dataset("hang", storage.url() + "/in", List.of("fetch", "program", "store"));
        storage.answer((method, path) -> {
            boolean fetches = path.endsWith("/fetch") && asked.add(path);
            boolean stores = path.contains("/store.") && path.endsWith(".out") && FlakyStorage.attempt(path) == 1;
            return fetches || stores ? Answer.SILENT : Answer.GOOD;
        });
        site.task(
                "hang", "hang", "hang", storage.url(), ",\"args\":\"{file_in} {attempt}\",\"timeout_s\":2,\"retry\":1");

        JobCounts counts = closed("hang");
        assertThat(counts.finished()).isEqualTo(3);
        assertThat(counts.systemRetries()).as("fetching and storing").isEqualTo(2);
        assertThat(counts.retries()).as("the program").isEqualTo(1);
        awaitClosedAtDsm("hang", 3);
    }

    @Test
    void aPilotThatIsHeardAndNeverReportsLosesItsJob() throws Exception {
        site.dataset("mute", storage.url() + "/in", List.of("mute-0"));
        try (HangingPilot hanging = new HangingPilot(site, "h1", "gpu")) {
            site.send("tasks", """
                    {"uid":"mute","executable":"copy","args":"{file_in}","device_type":"GPU","mode":"Map","timeout_s":2,
                     "dat_in_uid":"mute","dat_out_uid":"mute.out","dat_stor_url":"%s","dat_out_url":"mute"}""".formatted(storage.url()));
            eventually(() -> assertThat(hanging.job()).isNotNull());
            site.pilot("p3", "--pool=gpu", "--http-host=127.0.0.1");

            JobCounts counts = closed("mute");
            assertThat(hanging.told()).contains(Notice.Kind.KILL);
            assertThat(counts.finished()).isEqualTo(1);
            assertThat(counts.systemRetries()).isEqualTo(1);
        }
        awaitClosedAtDsm("mute", 1);
    }

    @Test
    void aDsmWhoseRegistrarStandsStillSaysSoAndMissesNothingLater() throws Exception {
        assertThat(site.askDsm("/health").statusCode()).isEqualTo(200);
        try (Connection blocking = site.database().connect();
                Statement statement = blocking.createStatement()) {
            blocking.setAutoCommit(false);
            statement.execute("LOCK TABLE registration IN ACCESS EXCLUSIVE MODE");
            task("still", "copy", 20, "");

            assertThat(closed("still").finished()).isEqualTo(20);
            await().atMost(SHOWN_WITHIN).untilAsserted(() -> {
                assertThat(site.askDsm("/health").statusCode()).isEqualTo(503);
                assertThat(site.askDsm("/health").body()).contains("registrations have not advanced for");
            });
            assertThat(site.askDsm("/dataset/still.out").statusCode()).isNotEqualTo(200);
            blocking.rollback();
        }
        awaitClosedAtDsm("still", 20);
        eventually(() -> assertThat(site.askDsm("/health").statusCode()).isEqualTo(200));
    }

    /** They come every half second here: a log of months must not consist of them. */
    @Test
    void aCheckpointThatCompletesLeavesNothingInTheLogs() throws Exception {
        task("logged", "copy", 2, "");
        closed("logged");
        awaitClosedAtDsm("logged", 2);

        try (Stream<Path> logs = Files.list(directory.resolve("run/logs"))) {
            assertThat(logs)
                    .anySatisfy(log -> assertThat(log.getFileName()).hasToString("weir.log"))
                    .allSatisfy(log -> assertThat(Files.readString(log))
                            .doesNotContainPattern(
                                    "(?i)(completed|triggering) checkpoint|checkpoint \\d+ as completed|EVENT_LOG"));
        }
    }

    private static void task(String uid, String program, int files, String more) throws Exception {
        site.dataset(uid, storage.url() + "/in", names(uid, files));
        site.task(uid, uid, program, storage.url(), ",\"args\":\"{file_in}\"" + more);
    }

    private static List<String> names(String task, int count) {
        return IntStream.range(0, count).mapToObj(i -> name(task, i)).toList();
    }

    private static String name(String task, int number) {
        return task + "-" + number;
    }

    /** Of the input, in the path of its output. */
    private static int numberIn(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return Integer.parseInt(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
    }

    private static long value(String sql) {
        try {
            String found = site.database().value(sql);
            return found == null ? 0 : Long.parseLong(found);
        } catch (java.sql.SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private static JobCounts closed(String task) {
        eventually(() -> assertThat(site.was(TaskState.CLOSED, task))
                .as("%s", site.events(task))
                .isTrue());
        return site.events(task).stream()
                .filter(event -> event.state() == TaskState.CLOSED)
                .findFirst()
                .orElseThrow()
                .counts();
    }

    /** DSM has compared the check-list with what was registered. */
    private static void awaitClosedAtDsm(String task, int files) {
        eventually(() -> assertThat(
                        site.askDsm("/dataset/" + task + ".out/status").body())
                .contains("\"state\":\"closed\"", "\"files\":" + files + ",", "\"missing\":0", "\"unexpected\":0"));
    }

    /** Paths of the registered outputs at the storage. */
    private static List<String> registered(String task) throws Exception {
        var page =
                Json.mapper().readTree(site.askDsm("/dataset/" + task + ".out").body());
        return IntStream.range(0, page.get("total").intValue())
                .mapToObj(i -> page.get("data").get(i))
                .map(file -> URI.create(file.get("storage_url").textValue()).getPath() + "/"
                        + file.get("path").textValue() + "/" + file.get("name").textValue())
                .toList();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).untilAsserted(assertion);
    }
}
