package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.CountedStore;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No value in state grows with the dataset. */
class StateSizeTest {

    private static final int FILES = 1_000;
    /** Counts of a larger dataset have more digits. */
    private static final int DIGITS = 40;

    @ParameterizedTest
    @EnumSource(Order.class)
    void theLargestValuesOfATaskAreThoseOfOneAHundredTimesSmaller(Order order) {
        assertThatNoValueGrows(task -> task.order(order));
    }

    /** Ten files to a job, so that the number of jobs grows too. */
    @Test
    void theLargestValuesOfAMergeTaskAreThoseOfOneAHundredTimesSmaller() {
        assertThatNoValueGrows(task -> task.merge(10));
    }

    private static void assertThatNoValueGrows(UnaryOperator<TaskBuilder> how) {
        Map<String, Integer> small = largest(FILES, how);

        largest(100 * FILES, how)
                .forEach((table, bytes) -> assertThat(bytes)
                        .as("largest value of table %s", table)
                        .isLessThanOrEqualTo(small.getOrDefault(table, 0) + DIGITS));
    }

    /** By table: the largest value that was written from a task's arrival to its close. Every fifth job fails. */
    private static Map<String, Integer> largest(int count, UnaryOperator<TaskBuilder> how) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(100)));
        lab.audited = false;
        CountedStore store = new CountedStore(lab.store);
        lab.scheduler = new Scheduler(lab.options, store);
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(Lab.file(1_000_000 + i + ".dat"));
        }
        lab.dataset("in", files)
                .task(how.apply(Lab.task("t", "in").retry(0).autoCancel(false)).build());
        int taken = 0;
        for (Job job = lab.take(); job != null; job = lab.settle().take()) {
            lab.starting("p", job);
            if (taken++ % 5 == 0) {
                lab.failed("p", job);
            } else {
                lab.finished("p", job);
            }
        }
        assertThat(lab.pass(60_000).states("t")).endsWith("closed");
        return store.largest();
    }
}
