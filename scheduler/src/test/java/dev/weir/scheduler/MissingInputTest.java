package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Inputs that are missing fail after an hour; a storage that seems to have lost everything is waited for. */
class MissingInputTest {

    private static final int WINDOW = 8;
    private static final int FILES = 100;
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    private final Lab lab = new Lab(SchedulerOptions.defaults()
            .withPilots(PilotOptions.defaults().withSetAside(1, Duration.ofMinutes(5)))
            .withPool("cpu", PoolOptions.defaults().withWindow(WINDOW)));

    /** Pilots take what comes for this time; all these files are missing. */
    private void serve(long millis, Set<String> missing) {
        for (long end = lab.now + millis;
                lab.now < end;
                lab.pass(Math.min(2_000, end - lab.now)).settle()) {
            for (int i = 0; i < WINDOW && !lab.queues.get("cpu").isEmpty(); i++) {
                Job job = lab.take();
                lab.starting("p", job);
                if (missing.contains(name(job)) || missing.isEmpty()) {
                    lab.failed("p", job, ErrorType.MISSING);
                } else {
                    lab.finished("p", job);
                }
            }
        }
    }

    private static String name(Job job) {
        return job.fileInUrl().substring(job.fileInUrl().lastIndexOf('/') + 1);
    }

    private TaskRow row() {
        return lab.taskRows.get("t");
    }

    private void begin() {
        lab.dataset("in", FILES).task(Lab.task("t", "in").retry(0).build());
    }

    @Test
    void aMissingFileIsTriedForAnHourAndHasFailedThenAlsoAfterARestart() {
        begin();
        serve(30 * MINUTE, Set.of("f3.dat", "f50.dat"));
        assertThat(row().counts().finished()).isEqualTo(FILES - 2);
        lab.restore(lab.store.snapshot());
        serve(25 * MINUTE, Set.of("f3.dat", "f50.dat"));
        assertThat(row().counts().failed()).isZero();

        serve(12 * MINUTE, Set.of("f3.dat", "f50.dat"));

        assertThat(row().counts().failed()).isEqualTo(2);
        assertThat(row().counts().retries()).isZero();
        assertThat(lab.states("t")).endsWith("closed").doesNotContain("cancelled");
    }

    @Test
    void aFileThatComesALittleLateIsProcessed() {
        begin();
        serve(40 * MINUTE, Set.of("f3.dat"));
        serve(10 * MINUTE, Set.of("none"));

        assertThat(row().counts().finished()).isEqualTo(FILES);
    }

    @Test
    void aStorageThatSaysSoOfEveryFileIsAwayAndNothingIsGivenUp() {
        begin();
        serve(MINUTE / 30, Set.of("f0.dat"));
        serve(3 * HOUR, Set.of());
        assertThat(row().counts().failed()).isZero();
        assertThat(row().why()).isEqualTo("storage");

        serve(20 * MINUTE, Set.of("none"));

        assertThat(row().counts().finished()).isEqualTo(FILES);
    }

    @Test
    void aFileThatIsMissingOnceAfterALongOutageIsTriedAgain() {
        begin();
        List<Job> away = new ArrayList<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            away.add(job);
        }
        for (long end = lab.now + 70 * MINUTE; lab.now < end; lab.pass(10_000)) {
            away.forEach(job -> lab.starting("p", job).failed("p", job, ErrorType.STAGE_IN));
            away.clear();
            for (Job job = lab.take(); job != null; job = lab.take()) {
                away.add(job);
            }
        }
        lab.pass(5 * MINUTE);
        for (Job job = lab.take(); job != null; job = lab.take()) {
            away.add(job);
        }
        lab.run("p", away.remove(0));
        Job late = away.remove(0);
        lab.starting("p", late).failed("p", late, ErrorType.MISSING);
        assertThat(row().counts().failed()).isZero();
        away.forEach(job -> lab.run("p", job));
        serve(20 * MINUTE, Set.of("none"));

        assertThat(row().counts().finished()).isEqualTo(FILES);
    }

    @Test
    void aMissingFileSaysNothingAboutTheNode() {
        lab.idle("q").idle("p");
        begin();
        serve(MINUTE, Set.of("f3.dat"));

        assertThat(lab.pilotRows.get("p").setAsideUntil()).isNull();
        assertThat(row().counts().finished()).isEqualTo(FILES - 1);
    }
}
