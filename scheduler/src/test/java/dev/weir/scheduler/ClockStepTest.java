package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command.Type;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Order;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the machine goes a day ahead and comes back, while Weir runs on or with a restart: nothing waits for that day. */
class ClockStepTest {

    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long MINUTE = 60_000;

    private final Lab lab = Lab.withDefaults();

    /** The clock is ahead while something happens; then it is right again, a minute later. */
    private static void aDayAheadAndBack(Lab lab, boolean restart, Runnable meanwhile) {
        long right = lab.now;
        lab.now += DAY;
        meanwhile.run();
        lab.now = right + MINUTE;
        if (restart) {
            lab.restore(lab.store);
        } else {
            lab.apply(new Event.Tick());
        }
    }

    private void aDayAheadAndBack(boolean restart, Runnable meanwhile) {
        aDayAheadAndBack(lab, restart, meanwhile);
    }

    private static Lab attempts(UnaryOperator<AttemptOptions> change) {
        SchedulerOptions options = SchedulerOptions.defaults();
        return new Lab(options.withAttempts(change.apply(options.attempts())));
    }

    private Job started(String pilot) {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(3).build());
        Job job = lab.take();
        lab.idle("other").starting(pilot, job);
        return job;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSilentPilotLosesItsJobAndOneThatIsHeardKeepsIt(boolean restart) {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job silent = lab.take();
        Job heard = lab.take();
        lab.starting("p", silent).starting("q", heard).pass(20_000);
        aDayAheadAndBack(restart, () -> {
            lab.alive("p", silent).alive("q", heard);
            for (int i = 0; i < 4; i++) {
                lab.pass(15_000).alive("p", silent).alive("q", heard);
            }
        });
        for (int i = 0; i < 8; i++) {
            assertThat(lab.jobRows.get(heard.uid()).status()).isEqualTo(JobStatus.STARTING);
            lab.pass(15_000).alive("q", heard);
        }

        assertThat(lab.jobRows.get(silent.uid()).systemRetries()).isEqualTo(1);
        assertThat(lab.jobRows.get(heard.uid()).systemRetries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailedJobIsTriedAgain(boolean restart) {
        Job job = started("p");
        aDayAheadAndBack(restart, () -> lab.failed("p", job));
        lab.pass(5 * MINUTE);

        assertThat(lab.take()).isNotNull().extracting(Job::attempt).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aJobWhoseMessageIsLostIsSentAgain(boolean restart) {
        aDayAheadAndBack(restart, () -> {
            lab.dataset("in", 1).task(Lab.task("t", "in").build());
            lab.take();
        });
        for (int i = 0; i < 80; i++) {
            lab.idle("p").pass(15_000);
        }

        assertThat(lab.take()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAttemptThatTakesTooLongIsStopped(boolean restart) {
        Lab lab = attempts(attempts -> attempts.withJobTimeout(Duration.ofMinutes(1)));
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job job = lab.take();
        aDayAheadAndBack(lab, restart, () -> lab.starting("p", job));
        for (int i = 0; i < 61; i++) {
            lab.alive("p", job).pass(MINUTE / 2).alive("p", job).pass(MINUTE / 2);
        }

        assertThat(lab.notices)
                .hasSize(1)
                .first()
                .satisfies(told -> assertThat(told.notice().reason()).contains("took more than 3660 s"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dsmIsAskedAgain(boolean restart) {
        aDayAheadAndBack(
                restart,
                () -> lab.apply(new Event.TaskArrived(Lab.task("t", "in").build())));
        lab.pages.clear();
        lab.pass(MINUTE);

        assertThat(lab.pages).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLimitOfStartsLetsTheNextOneGo(boolean restart) {
        lab.served();
        lab.dataset("in", 2).limit("g", null, 1, 60);
        aDayAheadAndBack(restart, () -> lab.task(Lab.task("t", "in").groups("g").build()));
        lab.take();
        lab.pass(2 * MINUTE);

        assertThat(lab.take()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommandWaitsNoLongerForItsTask(boolean restart) {
        aDayAheadAndBack(restart, () -> lab.command(Type.PAUSE, "t"));
        lab.pass(10 * MINUTE);

        assertThat(lab.rejected).hasSize(1).first().asString().contains("has not come within 600 s");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void commandsAreNotTakenForOlderThanThoseOfTheWrongTime(boolean restart) {
        lab.dataset("in", 3)
                .task(Lab.task("t", "in").order(Order.PRIORITY).build())
                .idle("p");
        aDayAheadAndBack(
                restart,
                () -> lab.rank("t", 5)
                        .command(Type.PAUSE, "t")
                        .pool(Type.POOL_PAUSE, "gpu")
                        .pilot(Type.PILOT_EXCLUDE, "p")
                        .limit("g", 1, null, null));
        lab.pass(1_000)
                .rank("t", 7)
                .command(Type.RESUME, "t")
                .pool(Type.POOL_RESUME, "gpu")
                .pilot(Type.PILOT_INCLUDE, "p")
                .lift("g");

        assertThat(lab.scheduler.metrics().ignored()).doesNotContainKey("older command");
        assertThat(lab.taskRows.get("t").rank()).isEqualTo(7);
        assertThat(lab.taskRows.get("t").state()).isEqualTo(TaskState.ACTIVE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsOfAPilotThatComesAgainReplaceThoseOfTheWrongTime(boolean restart) {
        Job job = started("p");
        aDayAheadAndBack(restart, () -> {
            lab.idle("q");
            for (int i = 0; i < 8; i++) {
                lab.pass(15_000).alive("p", job);
            }
        });
        long before = lab.pilotRows.get("q").version();
        lab.idle("q");

        assertThat(lab.pilotRows.get("q").version()).isGreaterThan(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTimeForWhichSystemFailuresAreTriedAgainBeginsWithTheRightClock(boolean restart) {
        Lab lab = attempts(attempts -> attempts.withSystemRetryTime(Duration.ofHours(1))
                .withCoolOff(Duration.ofMinutes(9), 1, Duration.ofMinutes(9), 0));
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job first = lab.take();
        aDayAheadAndBack(lab, restart, () -> lab.idle("p").starting("p", first).failed("p", first, ErrorType.STAGE_IN));
        Job last = first;
        while (lab.taskRows.get("t").closedAt() == null) {
            last = lab.takeAgain(last);
            lab.starting("p", last).failed("p", last, ErrorType.STAGE_IN).settle();
        }

        assertThat(last.attempt()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatWasReadAtTheWrongTimeDoesNotShowThatItsStorageIsThereNow(boolean restart) {
        lab.dataset("in", 2).task(Lab.task("t", "in").retry(0).build());
        Job read = lab.take();
        Job missing = lab.take();
        aDayAheadAndBack(restart, () -> lab.starting("p", read).finished("p", read));
        lab.pass(1_000);
        for (long end = lab.now + 3 * 60 * MINUTE; lab.now < end; missing = lab.takeAgain(missing)) {
            lab.starting("p", missing).failed("p", missing, ErrorType.MISSING).settle();
        }

        assertThat(lab.taskRows.get("t").counts().failed()).isZero();
    }

    @Test
    void aStepBackOfLessThanAMinuteIsWaitedFor() {
        Job job = started("p");
        lab.failed("p", job);
        lab.now -= 50_000;
        long began = lab.now;
        lab.pass(MINUTE);

        assertThat(lab.take()).isNotNull();
        assertThat(lab.now - began).isEqualTo(MINUTE);
        assertThat(lab.scheduler.takeProblems()).isEmpty();
    }

    @Test
    void theLogSaysThatTheClockWentBack() {
        lab.idle("p");
        lab.now -= DAY / 2;
        lab.idle("p");

        assertThat(lab.scheduler.takeProblems())
                .containsExactly("the clock went back by 43200 s: deadlines are set anew, as after a restart");
    }
}
