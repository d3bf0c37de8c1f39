package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.engine.EngineTables;
import dev.weir.protocol.Command;
import dev.weir.protocol.Json;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.job.Hash;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must be recognised when it comes again is, for its time, and no longer. */
class MemoryTest {

    private static final long HOUR = 3_600_000;

    private final Lab lab = new Lab(SchedulerOptions.defaults()
            .withAdmission(AdmissionOptions.defaults().withClosedMemory(Duration.ofHours(10)))
            .withCommands(new CommandOptions(Duration.ofHours(1), Duration.ofMinutes(10), 100)));

    private int remembered() {
        int[] count = {0};
        lab.store.forEach(EngineTables.SEEN, (key, value) -> count[0]++);
        lab.store.forEach(EngineTables.FORGET, (key, value) -> count[0]++);
        return count[0];
    }

    private Lab runTask(String uid) {
        return lab.dataset("in", 1).task(Lab.task(uid, "in").build()).runAll("p");
    }

    @Test
    void aClosedTaskIsIgnoredWhenItComesAgainAndIsANewOneOnceItIsForgotten() {
        runTask("t");
        lab.now += 10 * HOUR - 1;
        runTask("before");
        runTask("t");
        assertThat(lab.states("t")).containsOnlyOnce("accepted");
        lab.now += 1;
        runTask("after");
        runTask("t");

        assertThat(lab.states("t")).containsExactly("accepted", "active", "closed", "accepted", "active", "closed");
    }

    @Test
    void aDatasetMayBeWrittenAgainOnceItsCloseIsForgotten() {
        runTask("t");
        lab.task(Lab.task("u", "in").output("t-out").build());
        assertThat(lab.rejected).singleElement().asString().contains("was closed by task 't'");
        lab.now += 10 * HOUR;
        runTask("after");
        lab.task(Lab.task("v", "in").output("t-out").build()).runAll("p");

        assertThat(lab.rejected).hasSize(1);
        assertThat(lab.closes("t-out")).hasSize(2);
    }

    @Test
    void whatIsRememberedIsForgottenInTime() {
        for (int i = 0; i < 100; i++) {
            runTask("t" + i);
            lab.limit("g", i, null, null);
            lab.now += HOUR;
        }

        // Ten tasks, as uid and dataset, and few commands; each with its entry in the list.
        assertThat(remembered()).isBetween(40, 70);
        for (int i = 0; i < 30; i++) {
            lab.limit("g", i, null, null);
            lab.now += HOUR;
        }
        assertThat(remembered()).isBetween(2, 4);
    }

    @Test
    void aClockThatWasYearsAheadForAMomentDoesNotStopTheForgetting() {
        lab.limit("g", 1, null, null);
        lab.now += 3 * 365 * 24 * HOUR;
        runTask("ahead");
        lab.now -= 3 * 365 * 24 * HOUR;
        for (int i = 0; i < 100; i++) {
            lab.limit("g", i, null, null);
            lab.now += HOUR;
        }

        // The task that was closed meanwhile, as uid and dataset, is forgotten as if it had been closed later.
        assertThat(remembered()).isLessThan(12);
    }

    @Test
    void aTaskThatComesAgainIsTheSameWhereverItsOutputWasToGo() {
        Task task = Lab.task("t", "in").build();
        lab.dataset("in", 1).task(task).task(withStorage(task, "file:///other", "tape"));
        assertThat(lab.rejected).isEmpty();
        lab.task(Lab.task("t", "in").rank(7).build());
        assertThat(lab.rejected).singleElement().asString().contains("other contents");
        lab.rejected.clear();

        // As an earlier version has kept it.
        lab.audited = false;
        lab.scheduler.lane().tasks.get("t").progress.contentHash = Hash.of(Json.write(task));
        lab.task(task);
        assertThat(lab.rejected).isEmpty();
    }

    private static Task withStorage(Task task, String url, String id) {
        ObjectNode message = Json.mapper().valueToTree(task);
        return Json.read(Json.write(message.put("dat_stor_url", url).put("dat_stor_id", id)), Task.class);
    }

    @Test
    void aCommandIsIgnoredWhenItComesAgainAndCountsOnceItIsForgotten() {
        Command pause = Command.limit("same", Instant.ofEpochMilli(lab.now), "ann", "g", 3, null, null);
        lab.apply(new Event.CommandArrived(pause)).apply(new Event.CommandArrived(pause));
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("command", 1L);
        lab.now += HOUR;
        lab.limit("h", 1, null, null);
        lab.apply(new Event.CommandArrived(pause));

        assertThat(lab.scheduler.metrics().ignored()).containsEntry("command", 1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aTaskThatDsmRejectedIsRefusedWithTheWayToSendItAgain(int rank) {
        lab.task(Lab.task("t", "in").output("out").build()).settle();
        assertThat(lab.states("t")).containsExactly("accepted", "rejected");
        lab.dataset("in", 1)
                .task(Lab.task("t", "in").output("out").rank(rank).build())
                .task(Lab.task("t-2", "in").output("out").rank(rank).build())
                .runAll("p");

        assertThat(lab.rejected)
                .singleElement()
                .asString()
                .startsWith("uid: task 't' was accepted and then rejected")
                .endsWith("send it again with a new uid");
        assertThat(lab.states("t")).containsExactly("accepted", "rejected");
        assertThat(lab.states("t-2")).containsExactly("accepted", "active", "closed");
    }

    @Test
    void aTaskThatCannotBeTakenIsAnnouncedAsRejectedUnlessItsUidBelongsToAnother() {
        lab.dataset("in", 1).task(Lab.task("t", "in").pool("none").build());
        lab.task(Lab.task("t", "in").pool("none").build());
        assertThat(lab.events)
                .hasSize(2)
                .allMatch(event ->
                        event.state() == TaskState.REJECTED && event.reason().contains("no pool 'none'"))
                .extracting(TaskEvent::id)
                .doesNotHaveDuplicates();
        lab.task(Lab.task("t", "in").build()).task(Lab.task("t", "in").rank(3).build());

        assertThat(lab.states("t")).containsExactly("rejected", "rejected", "accepted", "active");
        assertThat(lab.rejected).hasSize(3);
    }
}
