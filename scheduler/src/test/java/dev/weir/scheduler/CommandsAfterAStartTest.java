package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command.Type;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Outcome;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After a start commands and reports wait in two queues of the broker, and commands are often read first. */
class CommandsAfterAStartTest {

    private final Lab lab = Lab.withDefaults();
    private Job first;
    private Job second;
    private HeapStore bothOut;

    @BeforeEach
    void twoJobsAreOut() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        first = lab.take();
        second = lab.take();
        bothOut = lab.store.snapshot();
        lab.now += 3_600_000;
    }

    private Lab startAgain() {
        return lab.restoreBehindReports(bothOut);
    }

    private List<Outcome.Kind> answers() {
        return lab.outcomes.stream()
                .filter(outcome -> outcome.about() == Outcome.About.COMMAND)
                .map(Outcome::outcome)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"CLOSE", "CANCEL"})
    void whatFinishedWhileWeirWasAwayIsRegisteredThoughItsTaskIsStopped(Type stop) {
        startAgain().command(stop, "t").finished("p", first);
        assertThat(answers()).isEmpty();
        lab.pass(1);

        assertThat(answers()).containsExactly(Outcome.Kind.APPLIED);
        assertThat(lab.close("t-out").checkList()).contains("f0.0.1.out");
        assertThat(lab.taskRows.get("t").counts().finished()).isEqualTo(1);
        assertThat(lab.jobRows.get(second.uid()).status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void aTaskOfWhichAllHasFinishedIsClosedByTheCommandThatWaits() {
        startAgain().command(Type.CLOSE, "t").finished("p", first).finished("p", second);
        assertThat(lab.closes("t-out")).isEmpty();
        lab.pass(1);

        assertThat(answers()).containsExactly(Outcome.Kind.APPLIED);
        assertThat(lab.close("t-out").checkList()).hasSize(4);
        assertThat(lab.taskRows.get("t").reason()).contains("closed by");
    }

    @Test
    void nothingOfATaskStartsBetweenTheReportsAndTheCommandThatWaited() {
        lab.dataset("many", 2_000).task(Lab.task("u", "many").build());
        int sent = lab.jobs.size();
        lab.restoreBehindReports(lab.store).command(Type.CLOSE, "u");
        lab.jobs.stream().filter(job -> job.taskUid().equals("u")).toList().forEach(job -> lab.finished("p", job));
        lab.pass(5_000);

        assertThat(lab.jobs).hasSize(sent);
        assertThat(lab.closes("u-out")).isNotEmpty();
    }

    @Test
    void commandsThatWaitActInTheirOrderAndOnceHoweverOftenTheyCome() {
        startAgain().command(Type.RETRY_FAILED, "t");
        lab.now++;
        lab.command(Type.CLOSE, "t").command(Type.RETRY_FAILED, "t").failed("p", first);
        lab.pass(5_000);

        assertThat(answers()).containsExactly(Outcome.Kind.APPLIED, Outcome.Kind.APPLIED, Outcome.Kind.REFUSED);
        assertThat(lab.rejected).singleElement().asString().contains("is ending");
    }

    @Test
    void aCommandThatWaitsIsNotForgottenByAnotherStart() {
        startAgain().command(Type.CLOSE, "t");
        lab.restoreBehindReports(lab.store).finished("p", first).pass(1);

        assertThat(answers()).containsExactly(Outcome.Kind.APPLIED);
        assertThat(lab.close("t-out").checkList()).contains("f0.0.1.out");
    }

    @Test
    void commandsActAfterAMinuteIfNoBeatComesBack() {
        startAgain().command(Type.CLOSE, "t");
        lab.beats.clear();
        lab.pass(59_999);
        assertThat(answers()).isEmpty();
        lab.pass(1);

        assertThat(answers()).containsExactly(Outcome.Kind.APPLIED);
    }

    @Test
    void aCommandActsAtOnceIfThereIsNoRoomToWait() {
        lab.options = SchedulerOptions.defaults()
                .withCommands(new CommandOptions(Duration.ofDays(1), Duration.ofMinutes(10), 0));
        startAgain().command(Type.CLOSE, "t");

        assertThat(answers()).containsExactly(Outcome.Kind.APPLIED);
    }

    @Test
    void whatHasFailedIsTriedAgainAlthoughTheCommandIsReadBeforeTheReport() {
        startAgain().command(Type.RETRY_FAILED, "t").failed("p", first).pass(5_000);

        Job again = lab.jobs.get(lab.jobs.size() - 1);
        assertThat(again.uid()).isEqualTo(first.uid());
        assertThat(again.attempt()).isEqualTo(2);
    }

    @Test
    void aTaskOfWhichJobsHaveFailedStaysOpenForAMinuteAfterAStart() {
        startAgain().catchUp().failed("p", first).finished("q", second).pass(5_000);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("kept");
        lab.pass(54_999);
        assertThat(lab.closes("t-out")).isEmpty();
        lab.pass(1);
        assertThat(lab.closes("t-out")).hasSize(1);

        startAgain()
                .catchUp()
                .failed("p", first)
                .finished("q", second)
                .pass(59_999)
                .command(Type.RETRY_FAILED, "t");
        assertThat(lab.jobs.get(lab.jobs.size() - 1).attempt()).isEqualTo(2);
    }

    @Test
    void aCommandForWhichThereIsNoRoomIsAnsweredIfOthersOfItsTaskWait() {
        startAgain();
        for (int i = 0; i < 101; i++) {
            lab.command(Type.CLOSE, "t");
        }

        assertThat(answers()).containsExactly(Outcome.Kind.REFUSED);
        assertThat(lab.commandRows).hasSize(1);
        assertThat(lab.rejected).singleElement().asString().contains("'t'").contains("100 commands wait");
    }

    @Test
    void aTaskThatDsmRejectsEndsAtOnceAlthoughACommandAboutItWaits() {
        lab.apply(new Event.TaskArrived(Lab.task("u", "nowhere").build()));
        lab.restoreBehindReports(lab.store).command(Type.CANCEL, "u").apply(lab.answer(lab.pages.poll()));
        assertThat(lab.states("u")).containsExactly("accepted", "rejected");
        lab.restore(lab.store).pass(60_000);

        assertThat(lab.states("u")).hasSize(2);
        assertThat(lab.closes("u-out")).isEmpty();
        assertThat(answers()).containsExactly(Outcome.Kind.REFUSED);
        assertThat(lab.rejected).singleElement().asString().contains("'u', which is closed");
    }
}
