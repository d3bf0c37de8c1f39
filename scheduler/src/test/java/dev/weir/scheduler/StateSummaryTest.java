package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.Table;
import dev.weir.engine.summary.GroupSummary;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.summary.LaneSummary;
import dev.weir.scheduler.summary.StateSummary;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What an operator sees of a saved state is what the scheduler had in it. */
class StateSummaryTest {

    private final Lab lab = Lab.withDefaults();

    private LaneSummary summary() {
        StateSummary summary = new StateSummary();
        for (Table<?> table : Scheduler.tables()) {
            add(summary, table);
        }
        return summary.of(3);
    }

    private <V> void add(StateSummary summary, Table<V> table) {
        lab.store.forEach(table, (key, value) -> summary.add(table, key, table.encode(value)), (key, damaged) -> {});
    }

    @Test
    void tasksPoolsAndLimitsAreThereWithTheirNumbers() {
        lab.served().dataset("in", 30).task(Lab.task("t1", "in").build());
        Job first = lab.take();
        Job second = lab.take();
        lab.running("p1", first).running("p2", second);
        lab.finished("p1", first);
        lab.pool(Command.Type.POOL_DRAIN, "cpu").limit("tape", 5, 100, 60);
        lab.command(Command.Type.PAUSE, "t1");

        LaneSummary summary = summary();

        assertThat(summary.lane()).isEqualTo(3);
        assertThat(summary.damaged()).isEmpty();
        LaneSummary.OfTask task = summary.tasks().get(0);
        assertThat(task.uid()).isEqualTo("t1");
        assertThat(task.state()).isEqualTo("paused");
        assertThat(task.datasetFiles()).isEqualTo(30);
        assertThat(task.readTo()).isEqualTo(30);
        assertThat(task.counts().finished()).isEqualTo(1);
        assertThat(task.counts().running()).isEqualTo(1);
        LaneSummary.OfPool cpu = summary.pools().get(0);
        assertThat(cpu)
                .isEqualTo(
                        new LaneSummary.OfPool("cpu", "draining", task.counts().queued(), 1, 0));
        assertThat(summary.groups()).containsExactly(new GroupSummary("tape", 5, 100, 60.0));
        assertThat(summary.tables().get("task").entries()).isEqualTo(1);
        assertThat(summary.pilots()).isEqualTo(summary.tables().get("pilot").entries());
    }

    @Test
    void aFailedAttemptIsCoolingAndATaskThatClosesSaysSo() {
        lab.served().dataset("in", 2).task(Lab.task("t1", "in").retry(3).build());
        Job job = lab.take();
        lab.running("p1", job);
        lab.running("p2", lab.take());
        lab.failed("p1", job);
        assertThat(summary().pools())
                .singleElement()
                .extracting(LaneSummary.OfPool::cooling)
                .isEqualTo(1L);
        lab.command(Command.Type.CANCEL, "t1");

        LaneSummary summary = summary();

        assertThat(summary.tasks().get(0).state()).isEqualTo("ending");
        assertThat(summary.tasks().get(0).reason()).contains("test");
    }

    @Test
    void aDamagedValueIsNamedAndTheRestIsShown() {
        lab.dataset("in", 2).task(Lab.task("t1", "in").build());
        StateSummary summary = new StateSummary();
        for (Table<?> table : Scheduler.tables()) {
            add(summary, table);
        }
        summary.add(Tables.JOB, "damaged", "\u0001nonsense".getBytes(StandardCharsets.UTF_8));

        LaneSummary shown = summary.of(0);

        assertThat(shown.damaged()).singleElement().asString().startsWith("damaged: a value of table job is damaged");
        assertThat(shown.tasks()).hasSize(1);
    }
}
