package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Job;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sixty pilots and all that is in their queue: what is lost comes back, and nothing else is sent again. */
@Tag("long")
class LostQueueTest {

    @Test
    void whatWasInALostQueueComesBackWithinTwoTimeOutsHoweverMuchItWas() {
        int pilots = 60;
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(pilots)));
        lab.dataset("first", pilots).dataset("in", pilots);
        lab.task(Lab.task("a", "first").build()).task(Lab.task("t", "in").build());
        for (int i = 0; i < pilots; i++) {
            lab.run("p" + i, lab.take()).pass(1_000);
        }
        lab.queues.get("cpu").clear();
        lab.restore(lab.store.snapshot());
        long start = lab.now;
        while (lab.scheduler.metrics().openTasks() > 0 && lab.now < start + 3_600_000) {
            for (int i = 0; i < pilots; i++) {
                lab.idle("p" + i);
            }
            for (Job job = lab.take(); job != null; job = lab.take()) {
                lab.run("p0", job);
            }
            lab.pass(10_000);
        }

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.now - start).isLessThan(21 * 60_000);
    }

    /** Jobs of an hour at sixty pilots, for a while, and one pilot that takes none and says that it has none. */
    private long mostMessagesOfAJob() {
        Lab lab = Lab.withDefaults();
        lab.dataset("in", 3_000).idle("p0").task(Lab.task("t", "in").build());
        Job[] jobs = new Job[60];
        int[] until = new int[60];
        for (int minute = 0; minute < 5 * 60; minute++) {
            lab.pass(30_000).idle("stuck");
            for (int i = 0; i < 60; i++) {
                if (jobs[i] != null) {
                    lab.alive("p" + i, jobs[i]);
                }
            }
            lab.pass(30_000).idle("stuck");
            for (int i = 0; i < Math.min(60, minute); i++) {
                if (jobs[i] != null && minute >= until[i]) {
                    lab.finished("p" + i, jobs[i]).settle();
                    jobs[i] = null;
                }
                if (jobs[i] == null) {
                    lab.idle("p" + i);
                    jobs[i] = startOne(lab, "p" + i);
                    until[i] = minute + 60;
                } else {
                    lab.alive("p" + i, jobs[i]);
                }
            }
        }
        return lab.jobs.stream().collect(Collectors.groupingBy(Job::uid, Collectors.counting())).values().stream()
                .mapToLong(messages -> messages)
                .max()
                .orElseThrow();
    }

    private static Job startOne(Lab lab, String pilot) {
        for (Job job = lab.take(); job != null; job = lab.take()) {
            int told = lab.notices.size();
            lab.starting(pilot, job);
            if (lab.notices.size() == told) {
                return job;
            }
        }
        return null;
    }

    @Test
    void aPilotThatTakesNothingMakesNoJobBeSentTwice() {
        assertThat(mostMessagesOfAJob()).isEqualTo(1);
    }
}
