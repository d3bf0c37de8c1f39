package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Command.Type;
import dev.weir.protocol.Job;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that come early, late, twice, in the wrong order, or about what is not there. */
class CommandsTest {

    private Lab lab = new Lab(
            SchedulerOptions.defaults().withPool("cpu", PoolOptions.defaults().withWindow(4)));

    private static Command command(String id, long at, String by, Type type, String task, Double rank) {
        return rank == null
                ? Command.ofTask(id, Instant.ofEpochMilli(at), by, type, task)
                : Command.rank(id, Instant.ofEpochMilli(at), by, task, rank);
    }

    private Lab send(String id, long at, Type type, String task, Double rank) {
        return lab.apply(new Event.CommandArrived(command(id, at, "ann", type, task, rank)));
    }

    private Lab limit(String id, long at, int inFlight) {
        return lab.apply(new Event.CommandArrived(
                Command.limit(id, Instant.ofEpochMilli(at), "ann", "g", inFlight, null, null)));
    }

    private Lab pool(String id, long at, Type type) {
        return lab.apply(new Event.CommandArrived(Command.ofPool(id, Instant.ofEpochMilli(at), "ann", type, "cpu")));
    }

    private long ignored(String what) {
        return lab.scheduler.metrics().ignored().getOrDefault(what, 0L);
    }

    private int out() {
        return lab.queues.containsKey("cpu") ? lab.queues.get("cpu").size() : 0;
    }

    @Test
    void earlyCommandsApplyInTheOrderInWhichTheyWereGivenNotInThatInWhichTheyCame() {
        send("late", 20, Type.RANK, "t", 7.0);
        send("early", 10, Type.RANK, "t", 3.0);
        send("pause", 5, Type.PAUSE, "t", null);
        send("resume", 6, Type.RESUME, "t", null);
        lab.dataset("in", 9).task(Lab.task("t", "in").rank(1).build());

        assertThat(lab.taskRows.get("t").baseRank()).isEqualTo(7);
        assertThat(lab.rejected).isEmpty();
        assertThat(out()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEarlyCommandCountsOnceHoweverOftenItComes(boolean restart) {
        send("c", 20, Type.RANK, "t", 7.0);
        send("c", 20, Type.RANK, "t", 7.0);
        assertThat(ignored("command")).isEqualTo(1);
        if (restart) {
            lab.restore(lab.store);
        }
        lab.dataset("in", 9).task(Lab.task("t", "in").rank(1).build());
        lab.rank("t", 2);
        send("c", 20, Type.RANK, "t", 7.0);

        assertThat(lab.taskRows.get("t").baseRank()).isEqualTo(2);
        assertThat(ignored("command")).isEqualTo(restart ? 1 : 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEarlyCommandWaitsSoLongAndIsThenRejectedForGood(boolean restart) {
        send("c", 20, Type.RANK, "t", 7.0);
        lab.pass(599_999);
        assertThat(lab.rejected).isEmpty();
        if (restart) {
            // Its task may have been sent while Weir was away.
            lab.restore(lab.store).pass(59_999);
            assertThat(lab.rejected).isEmpty();
        }
        lab.pass(1);
        assertThat(lab.rejected).hasSize(1).first().asString().contains("'c'", "'t'", "600 s");
        assertThat(lab.scheduler.metrics().rejected()).isEqualTo(1);
        lab.dataset("in", 9).task(Lab.task("t", "in").rank(1).build());
        send("c", 20, Type.RANK, "t", 7.0);

        assertThat(lab.taskRows.get("t").baseRank()).isEqualTo(1);
    }

    @Test
    void noMoreCommandsWaitThanThereIsRoomFor() {
        lab = new Lab(SchedulerOptions.defaults()
                .withCommands(new CommandOptions(Duration.ofDays(1), Duration.ofMinutes(10), 2)));
        send("a", 1, Type.RANK, "t", 2.0);
        send("b", 2, Type.RANK, "t", 3.0);
        assertThat(lab.rejected).isEmpty();
        send("c", 3, Type.RANK, "t", 4.0);
        assertThat(lab.rejected).hasSize(1);
        // Waiting commands make room when they are applied, and when they are rejected.
        lab.dataset("in", 9).task(Lab.task("t", "in").build());
        send("d", 4, Type.RANK, "u", 2.0);
        send("e", 5, Type.RANK, "u", 3.0);
        assertThat(lab.rejected).hasSize(1);
        lab.pass(600_000);
        assertThat(lab.rejected).hasSize(3);
        send("f", 6, Type.RANK, "u", 2.0);
        send("g", 7, Type.RANK, "v", 2.0);
        assertThat(lab.rejected).hasSize(3);
        send("h", 8, Type.RANK, "v", 2.0);

        assertThat(lab.rejected).hasSize(4);
    }

    @Test
    void anEarlyCommandThatMakesNoSenseForItsTaskIsRejectedWhenThatComes() {
        lab.apply(new Event.CommandArrived(Command.priority("p", Instant.ofEpochMilli(20), "ann", "t", 0, 3)));
        lab.dataset("in", 9).task(Lab.task("t", "in").build());

        assertThat(lab.rejected).hasSize(1).first().asString().contains("'p'", "does not order");
        assertThat(lab.scheduler.metrics().rejected()).isEqualTo(1);
        assertThat(out()).isEqualTo(4);
    }

    @Test
    void anOlderCommandNeverOverridesANewerOneAboutTheSameThing() {
        lab.dataset("in", 9).task(Lab.task("t", "in").groups("g").build());
        send("r2", 20, Type.RANK, "t", 7.0);
        send("r1", 19, Type.RANK, "t", 3.0);
        assertThat(lab.taskRows.get("t").baseRank()).isEqualTo(7);
        assertThat(ignored("older command")).isEqualTo(1);
        send("r3", 20, Type.RANK, "t", 5.0);
        assertThat(lab.taskRows.get("t").baseRank()).isEqualTo(5);
        send("p2", 20, Type.RESUME, "t", null);
        send("p1", 19, Type.PAUSE, "t", null);
        assertThat(lab.taskRows.get("t").state()).isEqualTo(TaskState.ACTIVE);
        assertThat(ignored("older command")).isEqualTo(2);
        limit("l2", 20, 3);
        limit("l1", 19, 1);
        assertThat(ignored("older command")).isEqualTo(3);
        pool("q2", 20, Type.POOL_RESUME);
        pool("q1", 19, Type.POOL_PAUSE);
        assertThat(ignored("older command")).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            lab.run("p", lab.take());
        }

        assertThat(out()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void commandsAboutGroupsAndPoolsCountOnceAndLastOverARestart(boolean restart) {
        lab.dataset("in", 9).task(Lab.task("t", "in").groups("g").build());
        limit("l", 20, 2);
        pool("q", 20, Type.POOL_PAUSE);
        if (restart) {
            lab.restore(lab.store);
        }
        limit("l", 20, 2);
        pool("q", 20, Type.POOL_PAUSE);
        assertThat(ignored("command")).isEqualTo(2);
        for (int i = 0; i < 4; i++) {
            lab.run("p", lab.take());
        }
        assertThat(out()).isZero();
        lab.pass(2_000);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("pool");
        pool("on", 21, Type.POOL_RESUME);

        assertThat(out()).isEqualTo(2);
    }

    @Test
    void whoGaveACommandIsNamedInWhatItLedTo() {
        lab.dataset("in", 9).task(Lab.task("t", "in").build());
        send("c1", 1, Type.PAUSE, "t", null);
        assertThat(lab.events.get(lab.events.size() - 1).reason()).isEqualTo("paused by ann");
        lab.apply(new Event.CommandArrived(command("c2", 2, null, Type.CANCEL, "t", null)));

        assertThat(lab.taskRows.get("t").reason()).isEqualTo("cancelled by command c2");
    }

    @Test
    void aClosedTaskTakesNoCommands() {
        lab.dataset("in", 1).task(Lab.task("t", "in").build()).runAll("p");
        send("c", 1, Type.CANCEL, "t", null);

        assertThat(lab.rejected).hasSize(1).first().asString().contains("task 't' is closed");
    }

    @Test
    void pauseAndResumeAreAnnouncedOnceEachAndTheTaskIsActiveAgainWithItsSlot() {
        lab.dataset("in", 9).task(Lab.task("t", "in").build());
        send("a", 1, Type.PAUSE, "t", null);
        send("b", 2, Type.PAUSE, "t", null);
        assertThat(lab.scheduler.metrics().activeTasks()).isZero();
        send("c", 3, Type.RESUME, "t", null);
        send("d", 4, Type.RESUME, "t", null);

        assertThat(lab.states("t")).containsExactly("accepted", "active", "paused", "active");
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Type.class,
            names = {"PAUSE", "RESUME"})
    void aTaskThatEndsIsNeitherPausedNorResumedAndSaysSo(Type type) {
        lab.dataset("in", 9).task(Lab.task("t", "in").build());
        Job running = lab.take();
        lab.starting("p", running).command(Type.CLOSE, "t").command(type, "t");
        assertThat(lab.rejected).singleElement().asString().contains("is ending");
        lab.finished("p", running).settle();

        assertThat(lab.states("t")).endsWith("closed").doesNotContain("paused");
    }

    @Test
    void aTaskThatIsPausedAfterItsLastFileWasReleasedIsActiveAgainAtOnce() {
        lab.dataset("in", 2).task(Lab.task("t", "in").retry(1).build());
        Job first = lab.take();
        Job second = lab.take();
        send("a", 1, Type.PAUSE, "t", null);
        lab.starting("p", first).failed("p", first).pass(60_000);
        assertThat(out()).isZero();
        send("b", 2, Type.RESUME, "t", null);

        assertThat(lab.states("t")).containsExactly("accepted", "active", "paused", "active");
        assertThat(lab.take().uid()).isEqualTo(first.uid());
        assertThat(second).isNotNull();
    }

    @Test
    void aWaitingTaskMovesToThePlaceOfItsNewRankAtOnce() {
        lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(
                        dev.weir.scheduler.options.AdmissionOptions.defaults().withMaxActiveTasks(1)));
        lab.dataset("in", 20);
        for (String uid : new String[] {"a", "b", "c"}) {
            lab.task(Lab.task(uid, "in").rank(5).build());
        }
        lab.rank("c", 9).settle();
        assertThat(lab.taskRows.get("c").whyText()).contains("place 1 of 2");
        lab.runAll("p");

        assertThat(lab.events.stream()
                        .filter(event -> event.state() == TaskState.ACTIVE)
                        .map(event -> event.taskUid()))
                .containsExactly("a", "c", "b");
    }

    @Test
    void aCommandFromAClockThatIsAheadDoesNotKeepLaterOnesFromActing() {
        lab.dataset("a", 3).task(Lab.task("t", "a").build());
        long ahead = Instant.parse("2999-01-01T00:00:00Z").toEpochMilli();
        send("ahead", ahead, Type.RANK, "t", 5.0).pass(1_000).rank("t", 7);

        assertThat(lab.taskRows.get("t").rank()).isEqualTo(7);
    }
}
