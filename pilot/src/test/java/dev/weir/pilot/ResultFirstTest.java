package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.pilot.run.TestJobs;
import dev.weir.pilot.run.Watchdog;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a job may take long to remove, and its pilot may die meanwhile: its result waits for nothing, and is not lost. */
class ResultFirstTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String KEEPING = "the keeping of the result";
    private static final String REMOVAL = "the removal of its files";

    /** What happens when a step begins. */
    interface Event {
        void happens() throws Exception;
    }

    @TempDir
    Path temp;

    private final LineToTest line = new LineToTest();
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private TestJobs jobs;
    private Pilot pilot;
    private CompletableFuture<Void> running;

    @BeforeEach
    void prepare() throws IOException {
        jobs = new TestJobs(temp);
        jobs.program("quick", "echo done");
        line.give(jobs.job("j1", "quick", ""));
    }

    @AfterEach
    void close() {
        goesOn.countDown();
        pilot.close();
        running.join();
    }

    @Test
    void aResultIsOnItsWayBeforeTheFilesAreRemovedAndThePilotIsBusyWithoutAJob() throws Exception {
        startAndWaitFor(REMOVAL, Map.of(REMOVAL, goesOn::await));
        assertThat(results(line.reports(SOON)))
                .singleElement()
                .satisfies(result -> assertThat(result.status()).isEqualTo(Outcome.FINISHED));
        assertThat(run("p1")).hasSize(1);
        Heartbeat busy = (Heartbeat) line.reports(SOON).get(0);
        assertThat(busy.state()).isEqualTo(PilotState.BUSY);
        assertThat(busy.jobUid()).isNull();

        goesOn.countDown();

        awaitIdle();
        assertThat(run("p1")).isEmpty();
    }

    @Test
    void aRemovalThatFailsIsNoFailureOfThePilot() throws Exception {
        startAndWaitFor(REMOVAL, Map.of(REMOVAL, () -> {
            throw new IOException("the disk is broken");
        }));

        assertThat(results(line.reports(SOON))).hasSize(1);
        awaitIdle();
        assertThat(run("p1")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p1", "p2"})
    void anAttemptIsToldOnceWheneverItsPilotDies(String next) throws Exception {
        Path before = temp.resolve("before");
        Path between = temp.resolve("between");
        Path after = temp.resolve("after");
        Path confirmed = temp.resolve("confirmed");
        startAndWaitFor(REMOVAL, Map.of(KEEPING, () -> copy(jobs.work(), before), REMOVAL, () -> {
            copy(jobs.work(), after);
            copy(after, between);
            copy(before.resolve("p1/run"), between.resolve("p1/run"));
            copy(after.resolve("p1/run"), confirmed.resolve("p1/run"));
            Files.createFile(confirmed.resolve("p1/lock"));
        }));
        assertThat(results(line.reports(SOON))).hasSize(1);
        awaitIdle();

        assertThat(whatIsLeftFor(next, before)).containsExactly(Outcome.KILLED);
        assertThat(whatIsLeftFor(next, between)).containsExactly(Outcome.FINISHED);
        assertThat(whatIsLeftFor(next, after)).containsExactly(Outcome.FINISHED);
        assertThat(whatIsLeftFor(next, confirmed)).isEmpty();
    }

    @Test
    void aResultForWhichTheDiskHasNoRoomIsKeptWhenTheFilesAreRemovedAndUntilThenTheRecordStays() throws Exception {
        Path outbox = jobs.work().resolve("p1/outbox");
        Path aside = temp.resolve("aside");
        Path dead = temp.resolve("dead");
        startAndWaitFor(
                REMOVAL,
                Map.of(
                        KEEPING,
                        () -> {
                            Files.move(outbox, aside);
                            Files.createFile(outbox);
                        },
                        REMOVAL,
                        () -> {
                            copy(jobs.work().resolve("p1/run"), dead.resolve("p1/run"));
                            Files.createFile(dead.resolve("p1/lock"));
                            Files.delete(outbox);
                            Files.move(aside, outbox);
                        }));
        assertThat(results(line.reports(SOON))).isNotEmpty();
        awaitIdle();

        assertThat(whatIsLeftFor("p1", dead)).containsExactly(Outcome.KILLED);
        copy(outbox, temp.resolve("kept/p1/outbox"));
        assertThat(whatIsLeftFor("p1", temp.resolve("kept"))).containsExactly(Outcome.FINISHED);
    }

    /** What the next pilot with this id would report of the job, if the one before had died with these files. */
    private List<Outcome> whatIsLeftFor(String id, Path work) throws Exception {
        new Pilot(new LineToTest().settings(id, jobs, work)).close();
        Outbox outbox = new Outbox(work.resolve(id).resolve("outbox"));
        return results(LineToTest.reports(outbox, Duration.ZERO)).stream()
                .map(Result::status)
                .toList();
    }

    private static List<Result> results(List<Report> reports) {
        return reports.stream()
                .filter(Result.class::isInstance)
                .map(Result.class::cast)
                .toList();
    }

    private List<Path> run(String id) throws IOException {
        try (Stream<Path> attempts = Files.list(jobs.work().resolve(id).resolve("run"))) {
            return attempts.toList();
        }
    }

    private void awaitIdle() {
        await().atMost(SOON)
                .until(() -> line.reports(SOON).stream()
                        .anyMatch(one -> one instanceof Heartbeat beat && beat.state() == PilotState.IDLE));
    }

    /** Starts a pilot, and returns when it begins this step, while what then happens goes on. */
    private void startAndWaitFor(String step, Map<String, Event> events) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Watchdog watchdog = new Watchdog() {
            @Override
            public void begin(String name, Duration limit) {
                super.begin(name, limit);
                if (name.equals(step)) {
                    begun.countDown();
                }
                try {
                    events.getOrDefault(name, () -> {}).happens();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        pilot = new Pilot(line.settings("p1", jobs, jobs.work()), watchdog);
        running = CompletableFuture.runAsync(
                () -> {
                    try {
                        pilot.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                work -> new Thread(work, "test-pilot").start());
        assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Path target = to.resolve(from.relativize(one).toString());
                if (Files.isDirectory(one)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(one, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
