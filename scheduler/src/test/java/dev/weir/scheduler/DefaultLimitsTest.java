package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.engine.store.StoreAround;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.Order;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Senders that go to each limit with the longest texts that there may be: the memory stays within the default heap of 2 GB, and what is
 * beyond the limit is refused with a reason. State does not count, since it is in RocksDB: here the longest values of it are left out.
 */
@Tag("long")
class DefaultLimitsTest {

    private static final String LONG = "x".repeat(240);
    private static final String ARGS = "y".repeat(4_000);

    private final SchedulerOptions options =
            SchedulerOptions.defaults().withPool("cpu", PoolOptions.defaults().withWindow(10));
    private Scheduler scheduler = new Scheduler(options, new WithoutTasks());
    private long now = 1_000_000;
    private long before;

    /** Makes the tasks up again instead of keeping them. */
    private static final class WithoutTasks extends StoreAround {

        WithoutTasks() {
            super(new HeapStore());
        }

        @Override
        @SuppressWarnings("unchecked")
        public <V> V get(Table<V> table, String key) {
            return table == Tables.TASK ? (V) task(key) : super.get(table, key);
        }

        @Override
        public <V> void put(Table<V> table, String key, V value) {
            if (table != Tables.TASK && table != Tables.CHUNK) {
                super.put(table, key, value);
            }
        }
    }

    private static Task task(String uid) {
        Task task = Lab.task(uid, "in").build();
        return new Task(
                task.uid(),
                task.executable(),
                ARGS + uid,
                task.rank(),
                task.deviceType(),
                task.mode(),
                task.retry(),
                task.datInUid(),
                task.datOutUid(),
                task.datStorUrl(),
                task.datOutUrl(),
                null,
                null,
                Order.RANDOM,
                List.of(),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    @BeforeEach
    void begin() {
        scheduler.apply(new Event.Tick(), now);
        before = used();
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private List<Effect> apply(Event event) {
        return scheduler.apply(event, now);
    }

    /** Sends events until one is refused. Returns how many were taken. */
    private int untilRefused(int most, IntFunction<Event> events) {
        for (int i = 0; i < most; i++) {
            for (Effect effect : apply(events.apply(i))) {
                if (effect instanceof Effect.Reject) {
                    assertThat(used() - before).isLessThan(900L << 20);
                    return i;
                }
            }
        }
        return most;
    }

    @Test
    void openTasksWithLongArguments() {
        assertThat(untilRefused(200_001, i -> new Event.TaskArrived(task("t" + i))))
                .isEqualTo(200_000);
    }

    @Test
    void pilotsWithLongNamesThatNameManyPools() {
        List<String> pools = new ArrayList<>();
        for (int i = 0; i < 31; i++) {
            pools.add("a-pool-that-is-not-configured-" + i);
        }
        pools.add("cpu");
        untilRefused(
                210_000,
                i -> new Event.ReportArrived(new Heartbeat(
                        "pilot-" + i + LONG.substring(0, 100),
                        "cpu",
                        List.copyOf(pools),
                        null,
                        null,
                        new NodeInfo(i + LONG, 1, 1L),
                        PilotState.IDLE,
                        null,
                        null,
                        null)));

        assertThat(scheduler.lane().pilots).hasSize(200_000);
        assertThat(used() - before).isLessThan(900L << 20);
    }

    @Test
    void limitsOfGroupsWithLongNames() {
        assertThat(untilRefused(
                        100_001,
                        i -> new Event.CommandArrived(Command.limit(
                                "c" + i, java.time.Instant.ofEpochMilli(now), null, i + LONG, 1, null, null))))
                .isEqualTo(100_000);
    }

    @Test
    void commandsThatWaitForTheirTasks() {
        assertThat(untilRefused(
                        10_001,
                        i -> new Event.CommandArrived(Command.rank(
                                "c" + i + LONG.substring(0, 100),
                                java.time.Instant.ofEpochMilli(now),
                                LONG,
                                "t" + i + LONG.substring(0, 100),
                                1))))
                .isEqualTo(10_000);
    }

    @Test
    void prioritiesThatAreGivenToFiles() {
        Lab lab = new Lab(options.withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.audited = false;
        lab.dataset("in", 100_100)
                .task(Lab.task("t", "in").order(Order.PRIORITY).build());
        for (int position = 1; position <= 100_001; position++) {
            lab.priority("t", position, position);
        }
        assertThat(lab.rejected).singleElement().asString().contains("100000 files that wait have a priority");
        lab.priority("t", 100_000, 1);
        assertThat(lab.rejected).as("another priority for the same file").hasSize(1);
        lab.finished("p", lab.take()).priority("t", 100_001, 1);

        assertThat(lab.rejected).as("one has started").hasSize(1);
    }

    @Test
    void filesThatAreEachInManyGroupsOfTheirOwn() {
        Lab lab = new Lab(options.withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.audited = false;
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            String[] groups = new String[32];
            for (int k = 0; k < groups.length; k++) {
                groups[k] = i + "-" + k + LONG;
            }
            files.add(Lab.grouped("f" + i, groups));
        }
        lab.served()
                .dataset("in", List.of())
                .apply(new Event.TaskArrived(Lab.task("t", "in").build()));
        lab.dataset("in", files).settle();

        assertThat(lab.scheduler.lane().tasks.get("t").progress.pageTrouble).contains("max-groups");
        assertThat(lab.scheduler.lane().groups.size()).isBetween(60_000, 100_000);
    }

    @Test
    void failedJobsOfALargeTaskThatAreTriedAgainByCommand() {
        Lab lab = labOfOneTask(120_000);
        Job last = lab.take();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job).failed("p", job).settle();
        }
        lab.pool(Command.Type.POOL_PAUSE, "cpu")
                .command(Command.Type.RETRY_FAILED, "t")
                .pass(60_000);

        assertThat(lab.scheduler.lane().jobs).hasSizeBetween(50_000, 51_100);
        lab.starting("p", last)
                .finished("p", last)
                .pool(Command.Type.POOL_RESUME, "cpu")
                .settle();
        for (int i = 0; i < 40 && lab.taskRows.get("t").counts().finished() < 120_000; i++) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                lab.starting("p", job).finished("p", job).settle();
            }
            lab.pass(2_000).settle();
        }
        assertThat(lab.pass(60_000).states("t")).endsWith("closed");
    }

    @Test
    void failedJobsOfTwoLargeTasksThatAreTriedAgainByCommand() {
        Lab lab = labOfOneTask(30_000);
        Job last = lab.take();
        lab.dataset("in-u", 30_000)
                .task(Lab.task("u", "in-u")
                        .retry(0)
                        .autoCancel(false)
                        .keepOpenS(3_600)
                        .build());
        lab.starting("other", last);
        failAll(lab);
        lab.pool(Command.Type.POOL_PAUSE, "cpu")
                .command(Command.Type.RETRY_FAILED, "t")
                .command(Command.Type.RETRY_FAILED, "u")
                .pass(60_000);

        assertThat(lab.scheduler.lane().jobs).hasSizeBetween(50_000, 51_100);
    }

    @Test
    void moreFailedJobsThanAreOpenAtOnceAreEachTriedAgainOnceByACommandThoughAllFailAgain() {
        Lab lab = labOfOneTask(60_000);
        Job last = lab.take();
        lab.starting("other", last);
        int failures = failAll(lab);
        lab.command(Command.Type.RETRY_FAILED, "t").settle();
        for (int i = 0; i < 4; i++) {
            failures += failAll(lab.pass(2_000).settle());
        }
        lab.finished("other", last).settle();

        assertThat(failures).isEqualTo(2 * 59_999);
        assertThat(lab.pass(60_000).states("t")).endsWith("closed");
    }

    /** A task whose jobs fail for good at once. */
    private static Lab labOfOneTask(int files) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(1_000)));
        lab.audited = false;
        lab.dataset("in", files)
                .task(Lab.task("t", "in").retry(0).autoCancel(false).build());
        return lab;
    }

    private static int failAll(Lab lab) {
        int failures = 0;
        for (Job job = lab.take(); job != null; job = lab.take(), failures++) {
            lab.starting("p", job).failed("p", job).settle();
        }
        return failures;
    }
}
