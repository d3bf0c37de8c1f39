package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.Command.Type;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.Outcome.Kind;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each command and each task is answered with what came of it. */
class AnswersTest {

    private Lab lab = new Lab(SchedulerOptions.defaults());

    private static Command rank(String id, long at, String task, double rank) {
        return Command.rank(id, Instant.ofEpochMilli(at), "ann", task, rank);
    }

    private static Command pool(String id, long at, Type type, String pool) {
        return Command.ofPool(id, Instant.ofEpochMilli(at), "ann", type, pool);
    }

    private static Command pilot(String id, long at, Type type) {
        return Command.ofPilot(id, Instant.ofEpochMilli(at), "ann", type, "node7-1");
    }

    private Outcome send(Command command) {
        int before = lab.outcomes.size();
        lab.apply(new Event.CommandArrived(command));
        List<Outcome> answers = lab.outcomes.subList(before, lab.outcomes.size());
        assertThat(answers).hasSizeLessThan(2);
        return answers.isEmpty() ? null : answers.get(0);
    }

    private void assertOutcome(Outcome outcome, String id, Kind kind, String reason, String field) {
        assertThat(outcome.about()).isEqualTo(Outcome.About.COMMAND);
        assertThat(outcome.id()).isEqualTo(id);
        assertThat(outcome.outcome()).isEqualTo(kind);
        assertThat(outcome.field()).isEqualTo(field);
        if (reason == null) {
            assertThat(outcome.reason()).isNull();
        } else {
            assertThat(outcome.reason()).contains(reason);
        }
    }

    @Test
    void aTaskIsAppliedARepetitionIgnoredAndAnotherOfItsUidRefused() {
        lab.dataset("in", 3);
        lab.task(Lab.task("t", "in").build());
        lab.task(Lab.task("t", "in").build());
        lab.task(Lab.task("t", "in").rank(7).build());

        assertThat(lab.outcomes).extracting(Outcome::about).containsOnly(Outcome.About.TASK);
        assertThat(lab.outcomes).extracting(Outcome::id).containsOnly("t");
        assertThat(lab.outcomes).extracting(Outcome::outcome).containsExactly(Kind.APPLIED, Kind.IGNORED, Kind.REFUSED);
        assertThat(lab.outcomes).extracting(Outcome::field).containsExactly(null, null, "uid");
    }

    @Test
    void whatACommandIsAboutHasOneNewestCommandAndOlderOnesAreIgnored() {
        lab.dataset("in", 3).task(Lab.task("t", "in").build());

        assertOutcome(send(rank("a", 20, "t", 3)), "a", Kind.APPLIED, null, null);
        assertOutcome(send(rank("b", 10, "t", 4)), "b", Kind.IGNORED, "given later", null);
        assertOutcome(send(rank("a", 20, "t", 3)), "a", Kind.IGNORED, "taken before", null);
        assertOutcome(send(pool("c", 20, Type.POOL_PAUSE, "cpu")), "c", Kind.APPLIED, null, null);
        assertOutcome(send(pool("d", 10, Type.POOL_RESUME, "cpu")), "d", Kind.IGNORED, "given later", null);
        assertOutcome(send(pilot("e", 20, Type.PILOT_DRAIN)), "e", Kind.APPLIED, null, null);
        assertOutcome(send(pilot("f", 10, Type.PILOT_INCLUDE)), "f", Kind.IGNORED, "given later", null);
    }

    @Test
    void theMirrorShowsEachCommandAboutATaskWithWhatCameOfItAndARepetitionHidesNothing() {
        lab.dataset("in", 3).task(Lab.task("t", "in").build());
        send(rank("a", 20, "t", 3));
        send(rank("b", 10, "t", 4));
        send(rank("a", 20, "t", 3));
        send(Command.priority("p", Instant.ofEpochMilli(1), "bob", "t", 2, 5));
        send(pool("c", 20, Type.POOL_PAUSE, "cpu"));

        assertThat(lab.commandRows).containsOnlyKeys("a", "b", "p");
        CommandRow applied = lab.commandRows.get("a");
        assertThat(applied.outcome()).isEqualTo(Kind.APPLIED);
        assertThat(applied.taskUid()).isEqualTo("t");
        assertThat(applied.type()).isEqualTo(Type.RANK);
        assertThat(applied.rank()).isEqualTo(3);
        assertThat(applied.by()).isEqualTo("ann");
        assertThat(applied.givenAt()).isEqualTo(Instant.ofEpochMilli(20));
        assertThat(applied.decidedAt()).isEqualTo(Instant.ofEpochMilli(lab.now));
        assertThat(applied.reason()).isNull();
        assertThat(lab.commandRows.get("b").outcome()).isEqualTo(Kind.IGNORED);
        CommandRow refused = lab.commandRows.get("p");
        assertThat(refused.outcome()).isEqualTo(Kind.REFUSED);
        assertThat(refused.position()).isEqualTo(2);
        assertThat(refused.priority()).isEqualTo(5);
        assertThat(refused.reason()).contains("does not order its files by priority");
    }

    @Test
    void whatCannotBeDoneIsRefusedWithItsField() {
        lab.dataset("in", 3).task(Lab.task("t", "in").build());
        Command priority = Command.priority("p", Instant.ofEpochMilli(1), "ann", "t", 0, 1);

        assertOutcome(
                send(pool("a", 1, Type.POOL_PAUSE, "tape")), "a", Kind.REFUSED, "there is no pool 'tape'", "pool");
        assertOutcome(send(priority), "p", Kind.REFUSED, "does not order its files by priority", "task_uid");
        assertThat(lab.rejected).hasSize(2);
    }

    @Test
    void aCommandThatWaitsForItsTaskIsAnsweredWhenTheTaskComes() {
        assertThat(send(rank("early", 1, "t", 3))).isNull();
        lab.dataset("in", 3).task(Lab.task("t", "in").build());

        assertThat(lab.outcomes)
                .filteredOn(outcome -> outcome.id().equals("early"))
                .extracting(Outcome::outcome)
                .containsExactly(Kind.APPLIED);
    }

    @Test
    void aCommandWhoseTaskDoesNotComeIsRefusedAfterItsWait() {
        lab = new Lab(SchedulerOptions.defaults()
                .withCommands(new CommandOptions(Duration.ofDays(1), Duration.ofMinutes(1), 10)));
        send(rank("early", 1, "t", 3));
        lab.pass(61_000);

        assertOutcome(lab.outcomes.get(0), "early", Kind.REFUSED, "has not come within 60 s", "task_uid");
    }

    @Test
    void ofSeveralLanesTheFirstAnswersWhatGoesToAll() {
        SchedulerOptions two = SchedulerOptions.defaults().withLanes(2);
        Event command = new Event.CommandArrived(pool("a", 1, Type.POOL_PAUSE, "cpu"));

        assertThat(answers(new Scheduler(two, 0, new HeapStore()).apply(command, 1)))
                .hasSize(1);
        assertThat(answers(new Scheduler(two, 1, new HeapStore()).apply(command, 1)))
                .isEmpty();
    }

    private static List<Effect> answers(List<Effect> effects) {
        return effects.stream().filter(Effect.Answer.class::isInstance).toList();
    }
}
