package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.pilot.run.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PilotDirectoryTest {

    private static final int PROCESSES = 4;
    private static final int ROUNDS = 150;
    private static final String HERE = "amqp://broker/production";

    @TempDir
    Path temp;

    /** What each of the processes below does: takes its directory and gives it up, again and again. */
    static final class Contender {

        private Contender() {}

        public static void main(String[] args) throws IOException {
            Path work = Path.of(args[0]);
            for (int round = 0; round < ROUNDS; round++) {
                try (PilotDirectory directory = PilotDirectory.open(work, args[1])) {
                    directory.takeOver(new TestJobs(Path.of(args[2])).settings(), HERE);
                    if (!Files.exists(work.resolve(args[1]).resolve("lock"))) {
                        System.out.println("round " + round + ": the lock is gone");
                    }
                }
            }
            System.out.println("done");
        }
    }

    @Test
    void pilotsThatStartAndEndTogetherKeepTheirLocks() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Contender.class.getName(),
                            temp.resolve("work").toString(),
                            "p" + i,
                            temp.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(temp.resolve("printed" + i).toFile())
                    .start());
        }
        try {
            for (int i = 0; i < PROCESSES; i++) {
                assertThat(processes.get(i).waitFor(2, TimeUnit.MINUTES)).isTrue();
                assertThat(Files.readString(temp.resolve("printed" + i))
                                .lines()
                                .filter(line -> !line.contains(" INFO ")))
                        .containsExactly("done");
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
        assertThat(temp.resolve("work")).isEmptyDirectory();
    }

    @Test
    void aDirectoryThatIsGivenUpTwiceIsNotTakenFromItsNextOwner() throws IOException {
        PilotDirectory first = PilotDirectory.open(temp, "p1");
        first.close();
        try (PilotDirectory second = PilotDirectory.open(temp, "p1")) {
            first.close();
            assertThat(temp.resolve("p1/lock")).exists();
            assertThatThrownBy(() -> PilotDirectory.open(temp, "p1")).hasMessageContaining("another pilot");
            assertThat(second.hasDrainFile()).isFalse();
        }
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void aLockThatIsGivenUpGoesToTheOneThatWaits() throws Exception {
        Path directory = temp.resolve("p1");
        DirectoryLock first = DirectoryLock.take(directory, Duration.ZERO);
        CompletableFuture<DirectoryLock> second = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                second.complete(DirectoryLock.take(directory, Duration.ofMinutes(1)));
            } catch (IOException e) {
                second.completeExceptionally(e);
            }
        });
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        first.remove();
        first.close();
        try (DirectoryLock lock = second.get(1, TimeUnit.MINUTES)) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(DirectoryLock.isIn(directory)).isTrue();
        }
    }

    @Test
    void resultsOfADeadPilotAreKeptWhenTheRestOfItsDirectoryCannotBeTakenOver() throws IOException {
        Path attempt = Files.createDirectories(temp.resolve("dead/run/x"));
        Files.writeString(
                attempt.resolve("attempt.json"),
                "{\"pilot_id\":\"dead\",\"pool\":\"cpu\",\"job_uid\":\"j1\",\"attempt\":1,\"route\":\"0/0/t\","
                        + "\"mark\":\"a-mark-that-no-process-has\",\"started_at\":\"2026-11-21T05:00:00Z\"}");
        Files.createFile(temp.resolve("dead/lock"));
        Files.createDirectories(temp.resolve("dead/outbox/x"));
        try (PilotDirectory directory = PilotDirectory.open(temp, "p1")) {
            Files.createFile(directory.outbox());
            assertThat(directory.takeOver(new TestJobs(temp).settings(), HERE)).hasSize(1);
            Files.delete(directory.outbox());
            assertThat(directory.takeOver(new TestJobs(temp).settings(), HERE)).isEmpty();
        }
        assertThat(temp.resolve("dead")).doesNotExist();
    }

    @Test
    void reportsOfAPilotOfAnotherWeirAreLeftToItAndThoseOfOneThatNamedNoneAreTaken() throws IOException {
        for (String dead : List.of("of-test", "of-ours", "older")) {
            Files.writeString(
                    Files.createDirectories(temp.resolve(dead + "/outbox")).resolve(dead + ".json"), "{}");
            Files.createFile(temp.resolve(dead + "/lock"));
        }
        Files.writeString(temp.resolve("of-test/address"), "amqp://broker/test");
        Files.writeString(temp.resolve("of-ours/address"), HERE);
        try (PilotDirectory directory = PilotDirectory.open(temp, "p1")) {
            directory.takeOver(new TestJobs(temp).settings(), HERE);
            assertThat(directory.outbox().toFile().list()).containsExactlyInAnyOrder("of-ours.json", "older.json");
        }
        assertThat(temp.resolve("of-test/outbox/of-test.json")).exists();
        assertThat(temp.resolve("p1/address")).hasContent(HERE);
        assertThat(temp.resolve("of-ours")).doesNotExist();
    }

    @Test
    void theWorkDirectoryIsClosedToOthers() throws IOException {
        Path made = temp.resolve("a/made");
        Path open = Files.createDirectory(temp.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        for (Path work : List.of(made, open)) {
            PilotDirectory.open(work, "p1").close();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(work)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void aDirectoryOfAnotherUserOrALinkIsRefused() throws IOException {
        Path own = Files.createDirectory(temp.resolve("own"));
        assertThat(PrivateDirectory.fault(own, PrivateDirectory.user())).isNull();
        assertThat(PrivateDirectory.fault(own, PrivateDirectory.user() + 1)).contains("not to the pilot's user");
        Path link = Files.createSymbolicLink(temp.resolve("link"), own);
        assertThatThrownBy(() -> PilotDirectory.open(link, "p1")).hasMessageContaining("is a link");
        Path work = Files.createDirectory(temp.resolve("work"));
        Files.createSymbolicLink(work.resolve("p1"), own);
        assertThatThrownBy(() -> PilotDirectory.open(work, "p1")).hasMessageContaining("is a link");
        assertThat(own).isEmptyDirectory();
    }

    @Test
    void whatAPreparedLinkLeadsToIsNeitherDeletedNorReported() throws IOException {
        Path precious = Files.createDirectories(temp.resolve("precious/run/x"));
        Files.createFile(temp.resolve("precious/lock"));
        Path outbox = Files.createDirectories(temp.resolve("precious/outbox"));
        Files.writeString(outbox.resolve("forged.json"), "{}");
        Path work = Files.createDirectory(temp.resolve("work"));
        Files.createSymbolicLink(work.resolve("dead"), temp.resolve("precious"));
        try (PilotDirectory directory = PilotDirectory.open(work, "p1")) {
            assertThat(directory.takeOver(new TestJobs(temp).settings(), HERE)).isEmpty();
            assertThat(directory.outbox()).doesNotExist();
        }
        assertThat(precious).exists();
        assertThat(outbox.resolve("forged.json")).exists();
    }
}
