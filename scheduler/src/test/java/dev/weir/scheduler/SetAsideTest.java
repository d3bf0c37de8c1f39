package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.store.HeapStore;
import dev.weir.engine.store.StoreAround;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One task at which the scheduler fails takes nothing from the others. */
class SetAsideTest {

    private final Lab lab =
            new Lab(SchedulerOptions.defaults().withPools(Map.of("cpu", new PoolOptions("iwrr", 4, 1, 20_000))));

    /** Tasks of which this cannot be read. */
    private final Set<String> failing = new HashSet<>();

    private Table<?> failingTable = Tables.CHUNK;

    /** Goes on from the state with a store that fails. */
    private void restart() {
        HeapStore store = lab.store;
        lab.scheduler = new Scheduler(lab.options, new StoreAround(store) {
            @Override
            public <V> V get(Table<V> table, String key) {
                if (table == failingTable && failing.contains(Tables.taskOf(key))) {
                    throw new IllegalArgumentException("no file of " + key);
                }
                return super.get(table, key);
            }
        });
    }

    private void start(String... tasks) {
        start(30, tasks);
    }

    private void start(int files, String... tasks) {
        lab.served();
        for (String uid : tasks) {
            lab.dataset("in-" + uid, files).task(Lab.task(uid, "in-" + uid).build());
        }
    }

    private List<Job> taken() {
        List<Job> jobs = new ArrayList<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            jobs.add(job);
        }
        return jobs;
    }

    @Test
    void everyReportCountsAndTheOtherTasksGoOn() {
        start("bad", "good");
        failing.add("bad");
        restart();
        lab.catchUp();

        for (List<Job> jobs = taken(); !jobs.isEmpty(); jobs = taken()) {
            jobs.forEach(job -> lab.run("p", job));
        }

        assertThat(lab.states("good")).endsWith("closed");
        assertThat(lab.taskRows.get("good").counts().finished()).isEqualTo(30);
        assertThat(lab.taskRows.get("bad").why()).isEqualTo("aside");
        assertThat(lab.taskRows.get("bad").whyText()).contains("no file of bad/");
        assertThat(lab.taskRows.get("bad").counts().finished()).isPositive();
        assertThat(lab.rejected)
                .singleElement()
                .asString()
                .contains("'bad' is set aside")
                .contains("no file of bad/");
        assertThat(lab.scheduler.takeProblems()).singleElement().asString().contains("bad");
    }

    @Test
    void itStaysAsideAfterARestartAndGoesOnWhenItIsResumed() {
        start("bad");
        failing.add("bad");
        restart();
        lab.catchUp();
        taken().forEach(job -> lab.run("p", job));
        failing.clear();
        restart();
        lab.catchUp().idle("p");
        assertThat(lab.take()).isNull();

        lab.command(Command.Type.RESUME, "bad").runAll("p");

        assertThat(lab.states("bad")).endsWith("closed");
        assertThat(lab.store.get(Tables.ASIDE, "bad")).isNull();
    }

    @Test
    void aTaskThatIsSetAsideWhileItClosesSaysSoUntilItIsResumed() {
        // Its check-list leaves in two parts.
        start(1_500, "bad");
        lab.runAll("p");
        assertThat(lab.store.get(Tables.PROGRESS, "bad").closing).isTrue();
        failingTable = Tables.CHECK_LIST;
        failing.add("bad");
        restart();
        lab.catchUp().pass(60_000);

        assertThat(lab.taskRows.get("bad").why()).isEqualTo("aside");
        assertThat(lab.taskRows.get("bad").whyText()).contains("no file of bad/");
        assertThat(lab.scheduler.metrics().whyTasks()).containsEntry("aside", 1L);
        assertThat(lab.scheduler.metrics().why()).containsEntry("aside", 0L);

        failing.clear();
        lab.command(Command.Type.RESUME, "bad").pass(60_000);

        assertThat(lab.states("bad")).endsWith("closed");
    }

    @Test
    void aCommandThatWaitedForReportsAndAtWhichWeirFailsIsRefusedOnce() {
        lab.served();
        lab.dataset("in-bad", 4).task(Lab.task("bad", "in-bad").keepOpenS(600).build());
        taken().forEach(job -> lab.starting("p", job).failed("p", job));
        failingTable = Tables.FAILED;
        failing.add("bad");
        restart();
        lab.command(Command.Type.RETRY_FAILED, "bad").catchUp().pass(60_000);

        assertThat(lab.taskRows.get("bad").why()).isEqualTo("aside");
        assertThat(lab.rejected)
                .filteredOn(reason -> reason.toString().contains("set aside meanwhile"))
                .hasSize(1);

        failing.clear();
        lab.command(Command.Type.RESUME, "bad")
                .command(Command.Type.RETRY_FAILED, "bad")
                .runAll("p");

        assertThat(lab.taskRows.get("bad").counts().finished()).isEqualTo(4);
    }

    @Test
    void itCanBeCancelled() {
        start("bad");
        failing.add("bad");
        restart();
        lab.catchUp();
        taken().forEach(job -> lab.run("p", job));

        lab.command(Command.Type.CANCEL, "bad").settle();

        assertThat(lab.states("bad")).endsWith("cancelled", "closed");
    }

    @Test
    void whenManyFailAtOnceTheyAreNotTheCause() {
        start("a", "b", "c", "d", "e");
        failing.addAll(List.of("a", "b", "c", "d", "e"));
        restart();

        assertThatThrownBy(() -> {
                    lab.catchUp();
                    for (int i = 0; i < 100; i++) {
                        lab.now += 10_000;
                        lab.apply(new Event.Tick());
                        taken().forEach(job -> lab.run("p", job));
                    }
                })
                .hasMessageContaining("no file of");
    }
}
