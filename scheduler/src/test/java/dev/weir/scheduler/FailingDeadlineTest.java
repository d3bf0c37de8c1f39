package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.Tables;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailingDeadlineTest {

    private final Lab lab = Lab.withDefaults();
    private int failures;

    private Job failedOnce(String uid) {
        lab.dataset("in-" + uid, 1).task(Lab.task(uid, "in-" + uid).retry(3).build());
        Job job = lab.take();
        lab.starting("p", job).failed("p", job);
        return job;
    }

    /** Its next attempt cannot be sent: no message takes the number. */
    private void poison(Job job) {
        JobRecord record = lab.store.get(Tables.JOB, job.uid());
        record.attempt = Integer.MAX_VALUE;
        lab.store.put(Tables.JOB, job.uid(), record);
    }

    private void tick() {
        try {
            lab.keep(lab.scheduler.apply(new Event.Tick(), lab.now));
            while (!lab.beats.isEmpty()) {
                lab.keep(lab.scheduler.apply(new Event.ReportArrived(lab.beats.poll()), lab.now));
            }
        } catch (RuntimeException e) {
            failures++;
        }
    }

    @Test
    void jobsAtWhichTheSchedulerFailsHoldUpNoOthers() {
        Job first = failedOnce("t");
        Job good = failedOnce("u");
        Job second = failedOnce("v");
        Job alsoGood = failedOnce("w");
        poison(first);
        poison(second);
        lab.scheduler = new Scheduler(lab.options, lab.store);
        tick();

        lab.now += 600_000;
        for (int i = 0; i < 20; i++) {
            tick();
        }

        assertThat(failures).isZero();
        assertThat(lab.taskRows.get("t").why()).isEqualTo("aside");
        assertThat(lab.taskRows.get("v").whyText()).contains("set aside until it is resumed");
        assertThat(List.of(lab.take().uid(), lab.take().uid())).containsExactlyInAnyOrder(good.uid(), alsoGood.uid());
        assertThat(lab.scheduler.nextDeadlineMillis()).isGreaterThan(lab.now);
    }

    @Test
    void theyAreTriedAgainByCommand() {
        Job bad = failedOnce("t");
        poison(bad);
        lab.scheduler = new Scheduler(lab.options, lab.store);
        tick();
        lab.now += 600_000;
        for (int i = 0; i < 5; i++) {
            tick();
        }
        JobRecord record = lab.store.get(Tables.JOB, bad.uid());
        record.attempt = 1;
        lab.store.put(Tables.JOB, bad.uid(), record);
        lab.scheduler = new Scheduler(lab.options, lab.store);
        tick();
        assertThat(lab.take()).isNull();

        lab.command(Command.Type.RESUME, "t");

        assertThat(lab.take().attempt()).isEqualTo(2);
    }
}
