package dev.weir.cli.savepoint;

import dev.weir.engine.store.Table;
import dev.weir.engine.summary.LaneSums;
import dev.weir.job.ScheduleJob;
import dev.weir.job.queues.QueueJob;
import dev.weir.queues.Queues;
import dev.weir.queues.summary.QueueSums;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.summary.StateSummary;
import java.util.List;

/** A core whose state can be shown. */
enum SavedCore {
    SCHEDULE("schedule", ScheduleJob.UID) {
        @Override
        List<Table<?>> tables() {
            return List.copyOf(Scheduler.tables());
        }

        @Override
        LaneSums<?> sums() {
            return new StateSummary();
        }
    },
    QUEUES("queues", QueueJob.UID) {
        @Override
        List<Table<?>> tables() {
            return Queues.tables();
        }

        @Override
        LaneSums<?> sums() {
            return new QueueSums();
        }
    };

    /** Name of its job. */
    final String job;

    final String uid;

    SavedCore(String job, String uid) {
        this.job = job;
        this.uid = uid;
    }

    abstract List<Table<?>> tables();

    /** Of one lane, with nothing in it. */
    abstract LaneSums<?> sums();
}
