package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.BrokenState;
import dev.weir.engine.EngineTables;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.protocol.Outcome;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A value of state that cannot be decoded stops nothing but what it belongs to. */
class DamagedStateTest {

    private static final byte[][] DAMAGES = {{}, {0}, {1}, {1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, {1, 127, 3}
    };

    private final Lab lab =
            new Lab(SchedulerOptions.defaults().withPools(Map.of("cpu", new PoolOptions("iwrr", 6, 1, 20_000))));

    static Stream<Table<?>> ofTasks() {
        return Stream.of(
                Tables.TASK, Tables.PROGRESS, Tables.CHUNK, Tables.RELEASED, Tables.PRIORITY, Tables.JOB, Tables.ASIDE);
    }

    static Stream<Table<?>> ofNone() {
        return Stream.of(Tables.PILOT, Tables.NODE, Tables.GROUP, Tables.POOL, Tables.WAITING);
    }

    /** Two tasks with running jobs, and something in every table. */
    private void start() {
        lab.served();
        for (String uid : List.of("bad", "good")) {
            lab.dataset("in-" + uid, 40);
            lab.task(Lab.task(uid, "in-" + uid).order(Order.PRIORITY).build());
            lab.priority(uid, 30, 7);
        }
        lab.limit("g", 3, null, null).pool(Command.Type.POOL_RESUME, "cpu");
        lab.pilot(Command.Type.PILOT_DRAIN, "other").command(Command.Type.PAUSE, "later");
        // The first task's jobs had filled the window alone.
        out().forEach(job -> lab.run("p", job));
    }

    private String keyOf(Table<?> table, String uid) {
        List<String> keys = new ArrayList<>();
        lab.store.forEach(table, (key, value) -> keys.add(key));
        keys.removeIf(key -> !key.startsWith(uid));
        keys.sort(Comparator.naturalOrder());
        return keys.isEmpty() ? null : keys.get(0);
    }

    private void damage(Table<?> table, String uid, byte[] damage) {
        String key = keyOf(table, uid);
        if (key == null) {
            // Nothing is remembered there in this life of the tasks.
            key = uid;
            put(table, key);
        }
        lab.store.damage(table, key, damage);
        lab.scheduler = new Scheduler(lab.options, lab.store);
    }

    @SuppressWarnings("unchecked")
    private void put(Table<?> table, String key) {
        if (table == Tables.NODE) {
            lab.store.put(Tables.NODE, key, new dev.weir.scheduler.state.NodeRecord(key, "cpu", 1, 0, null));
        } else {
            lab.store.put((Table<String>) table, key, "x");
        }
    }

    /** Every audit reads the whole state, which is damaged; so events are applied without it. */
    private void apply(Event event) {
        lab.keep(lab.scheduler.apply(event, lab.now));
    }

    /** Runs the jobs of the task that come, those that are out included. */
    private void runAll(List<Job> out) {
        apply(new Event.Tick());
        while (!lab.beats.isEmpty()) {
            apply(new Event.ReportArrived(lab.beats.poll()));
        }
        for (Job job : out) {
            run(job);
        }
        for (Job job = lab.take(); job != null; job = lab.take()) {
            run(job);
        }
        while (lab.scheduler.nextDeadlineMillis() <= lab.now) {
            apply(new Event.Tick());
        }
    }

    private void run(Job job) {
        apply(new Event.ReportArrived(new dev.weir.protocol.Status(
                "p", "cpu", null, job.uid(), 1, job.route(), dev.weir.protocol.Status.Phase.STARTING)));
        apply(new Event.ReportArrived(Lab.result("p", job, dev.weir.protocol.Result.Outcome.FINISHED, null)));
    }

    private List<Job> out() {
        List<Job> jobs = new ArrayList<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            jobs.add(job);
        }
        return jobs;
    }

    @ParameterizedTest
    @MethodSource("ofTasks")
    void aDamagedValueOfATaskStopsThatTaskAndNoOther(Table<?> table) {
        for (byte[] damage : DAMAGES) {
            DamagedStateTest one = new DamagedStateTest();
            one.start();
            List<Job> out = one.out();
            assertThat(out).extracting(Job::taskUid).contains("bad", "good");
            one.damage(table, "bad", damage);

            one.runAll(out);

            boolean isSound = table == Tables.RELEASED && damage.length > 8;
            assertThat(one.lab.states("good")).as("%s", table).endsWith("closed");
            assertThat(one.lab.checkList("good-out")).hasSize(80);
            if (!isSound && table != Tables.ASIDE && !(table == Tables.PRIORITY && damage.length > 1)) {
                assertThat(one.lab.states("bad")).as("%s", table).doesNotContain("closed");
                assertThat(one.lab.scheduler.takeProblems()).as("%s", table).anyMatch(said -> said.contains("'bad'"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ofNone")
    void aDamagedValueOfNoTaskIsDroppedAndSaid(Table<?> table) {
        start();
        List<Job> out = out();
        damage(table, "", DAMAGES[0]);

        runAll(out);

        assertThat(lab.states("good")).endsWith("closed");
        assertThat(lab.states("bad")).endsWith("closed");
        assertThat(lab.scheduler.takeProblems()).singleElement().asString().contains(table.name());
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("damaged value", 1L);
    }

    @Test
    void namesOfADamagedCheckListAreLostButItsTaskEnds() {
        for (byte[] damage : DAMAGES) {
            DamagedStateTest one = new DamagedStateTest();
            one.start();
            List<Job> out = one.out();
            one.damage(Tables.CHECK_LIST, "bad", damage);

            one.runAll(out);

            assertThat(one.lab.states("bad")).endsWith("closed");
            assertThat(one.lab.checkList("good-out")).hasSize(80);
            assertThat(one.lab.checkList("bad-out")).hasSizeLessThan(80);
            assertThat(one.lab.scheduler.takeProblems())
                    .anyMatch(said -> said.startsWith("the names in piece 'bad"))
                    .hasSizeLessThan(3);
        }
    }

    @Test
    void failedJobsOfADamagedListStayFailedButTheirTaskEnds() {
        lab.served().dataset("in", 6).task(Lab.task("bad", "in").retry(0).build());
        Job failed = lab.take();
        lab.starting("p", failed).failed("p", failed);
        List<Job> out = out();
        damage(Tables.FAILED, "bad", DAMAGES[3]);
        apply(command(Command.Type.RETRY_FAILED));
        runAll(out);
        lab.now += 60_000;
        runAll(List.of());

        assertThat(lab.states("bad")).endsWith("closed");
        assertThat(lab.taskRows.get("bad").counts().failed()).isEqualTo(1);
        assertThat(lab.scheduler.takeProblems()).singleElement().asString().contains("'bad");
    }

    @Test
    void aTaskWithADamagedJobCannotGoOnButBeCancelled() {
        start();
        List<Job> out = out();
        damage(Tables.JOB, "bad", DAMAGES[1]);
        lab.rejected.clear();
        runAll(out);

        apply(command(Command.Type.RESUME));
        assertThat(lab.rejected).anyMatch(said -> said.contains("only be cancelled or closed"));
        apply(command(Command.Type.CANCEL));
        runAll(List.of());

        assertThat(lab.states("bad")).endsWith("cancelled", "closed");
        lab.scheduler.verify();
    }

    private Event command(Command.Type type) {
        return new Event.CommandArrived(
                Command.ofTask("c-" + type, java.time.Instant.ofEpochMilli(lab.now), "ann", type, "bad"));
    }

    @Test
    void aTaskThatCannotBeReadSaysSoToCommandsAndKeepsItsUid() {
        start();
        damage(Tables.PROGRESS, "bad", DAMAGES[1]);
        lab.rejected.clear();
        lab.events.clear();

        apply(command(Command.Type.RESUME));
        apply(new Event.TaskArrived(Lab.task("bad", "in-bad").build()));

        assertThat(lab.rejected).hasSize(2).allMatch(said -> said.contains("cannot be read"));
        // A task that was accepted is not over.
        assertThat(lab.events).isEmpty();
        assertThat(lab.outcomes.get(lab.outcomes.size() - 1).outcome()).isEqualTo(Outcome.Kind.REFUSED);
        assertThat(keyOf(Tables.CHUNK, "bad")).isNotNull();
    }

    @Test
    void theEnginesOwnRecordIsTheWholeState() {
        start();
        lab.store.damage(EngineTables.ENGINE, "", DAMAGES[1]);
        lab.scheduler = new Scheduler(lab.options, lab.store);

        assertThatThrownBy(() -> apply(new Event.Tick())).isInstanceOf(BrokenState.class);
    }

    @Test
    void aValueOfANewerWeirStopsInsteadOfBeingTakenForDamage() {
        start();
        lab.store.damage(Tables.PILOT, keyOf(Tables.PILOT, ""), new byte[] {99, 1, 2});
        lab.scheduler = new Scheduler(lab.options, lab.store);

        assertThatThrownBy(() -> apply(new Event.Tick()))
                .isInstanceOf(BrokenState.class)
                .hasMessageContaining("version 99");
    }

    @Test
    void aPoolThatIsTakenAwayWhileItHasATaskStopsAndIsNamedWithTheTask() {
        Lab with = new Lab(SchedulerOptions.defaults().withPool("bigmem", PoolOptions.defaults()));
        with.dataset("in", 1).task(Lab.task("t", "in").pool("bigmem").build());
        Scheduler without = new Scheduler(SchedulerOptions.defaults(), with.store);

        assertThatThrownBy(() -> without.apply(new Event.Tick(), with.now))
                .isInstanceOf(BrokenState.class)
                .hasMessageContaining("task t belongs to pool bigmem, which is not configured any more");
    }
}
