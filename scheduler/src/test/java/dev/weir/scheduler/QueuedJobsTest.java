package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that wait in the queue of their pool: which of them are taken for lost. */
class QueuedJobsTest {

    private final Lab lab = Lab.withDefaults();

    private Job only(int retry) {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(retry).build());
        return lab.take();
    }

    @Test
    void aJobWithoutAStartIsSentAgainAsTheSameAttemptWhileThereArePilots() {
        Job job = only(0);
        for (int i = 0; i < 50; i++) {
            lab.idle("p").pass(15_000);
        }
        assertThat(lab.jobs).hasSize(2);
        assertThat(lab.jobs.get(1)).isEqualTo(job);
        lab.pass(3_600_000);

        assertThat(lab.jobs).hasSize(2);
    }

    @Test
    void aJobIsSentAgainWhenALaterJobHasStartedAlsoIfNoPilotIsIdle() {
        lab.dataset("in", 17).task(Lab.task("t", "in").build());
        Job lost = lab.take();
        List<Job> others = new ArrayList<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            others.add(job);
        }
        lab.pass(1_000).idle("p").starting("p", others.get(0));
        assertThat(lab.jobs).as("all were sent at once").hasSize(16);
        lab.finished("p", others.get(0));
        Job later = lab.take();
        lab.starting("p", later);
        for (int i = 0; i < 41; i++) {
            lab.pass(15_000).alive("p", later);
        }

        assertThat(lab.queues.get("cpu")).contains(lost).hasSize(15);
    }

    /**
     * Fifty pilots, jobs of an hour, and a window that follows them: 15 jobs are in the queue, each for a quarter of an hour and more.
     *
     * @param copyAt in which minute the first message of the queue is delivered twice
     */
    private void longJobs(int minutes, int copyAt) {
        lab.dataset("in", 1_500);
        int pilots = 50;
        for (int i = 0; i < pilots; i++) {
            lab.idle("p" + i);
        }
        lab.task(Lab.task("t", "in").build());
        List<Job> running = new ArrayList<>();
        for (int i = 0; i < pilots; i++) {
            running.add(lab.take());
            lab.starting("p" + i, running.get(i));
        }
        for (int minute = 0; minute < minutes; minute++) {
            if (minute == copyAt) {
                lab.queues.get("cpu").addFirst(lab.queues.get("cpu").peekLast());
            }
            for (int quarter = 0; quarter < 4; quarter++) {
                lab.pass(15_000);
                for (int i = 0; i < pilots; i++) {
                    lab.alive("p" + i, running.get(i));
                }
            }
            int ends = minute % 60;
            if (ends < pilots) {
                lab.finished("p" + ends, running.get(ends)).settle();
                startNext("p" + ends, running, ends);
            }
        }
    }

    /** Takes jobs until one is not another's. */
    private void startNext(String pilot, List<Job> running, int place) {
        int told = lab.notices.size();
        do {
            running.set(place, lab.take());
            told = lab.notices.size();
            lab.starting(pilot, running.get(place));
        } while (lab.notices.size() > told);
    }

    @Test
    void aJobThatWaitsForLongInTheQueueBecauseJobsLastForLongIsSentOnce() {
        longJobs(200, -1);

        assertThat(lab.jobs).doesNotHaveDuplicates();
        assertThat(lab.queues.get("cpu")).hasSizeLessThanOrEqualTo(15);
    }

    @Test
    void messagesThatWereOvertakenLookLostOnlyOnce() {
        longJobs(600, 100);

        assertThat(lab.jobs.size() - lab.jobs.stream().distinct().count()).isLessThanOrEqualTo(15);
        assertThat(lab.queues.get("cpu")).hasSizeLessThanOrEqualTo(15);
    }

    @Test
    void theJobsOfALostQueueAreSentAgainAlsoWhileItsPilotsWorkForAPoolThatTheyPreferLess() {
        lab.dataset("in", 20).dataset("other", 500);
        Heartbeat both =
                new Heartbeat("p", "gpu", List.of("gpu", "cpu"), null, null, null, PilotState.IDLE, null, null, null);
        lab.apply(new Event.ReportArrived(both)).task(Lab.task("t", "in").gpu().build());
        lab.task(Lab.task("u", "other").build());
        int lost = lab.queues.get("gpu").size();
        lab.queues.get("gpu").clear();
        for (int i = 0; i < 50; i++) {
            Job job = lab.take();
            lab.starting("p", job);
            lab.pass(15_000)
                    .apply(new Event.ReportArrived(new Heartbeat(
                            "p",
                            "cpu",
                            List.of("gpu", "cpu"),
                            null,
                            null,
                            null,
                            PilotState.BUSY,
                            job.uid(),
                            job.attempt(),
                            job.route())));
            lab.pass(5_000).finished("p", job).settle();
        }

        assertThat(lab.queues.get("gpu")).hasSizeGreaterThanOrEqualTo(lost);
    }

    @Test
    void anOutageOfTheBrokerOrOfOursSendsNoJobTwice() {
        lab.idle("p").dataset("in", 40).task(Lab.task("t", "in").build());
        long back = lab.now + 30 * 60_000;
        while (lab.now < back) {
            lab.now = Math.max(lab.now, Math.min(back, lab.scheduler.nextDeadlineMillis()));
            lab.apply(new Event.Tick());
        }
        lab.now += 30 * 60_000;
        lab.beats.clear();
        lab.restore(lab.store).pass(60_000);

        assertThat(lab.jobs).hasSize(16);
    }

    @Test
    void aCancelledJobKeepsItsPlaceInTheWindowUntilItsMessageIsTakenOrTheTimeOutIsOver() {
        Job running = only(0);
        lab.idle("p").starting("p", running);
        lab.dataset("more", 15).task(Lab.task("u", "more").build());
        lab.command(Command.Type.CANCEL, "u")
                .dataset("next", 15)
                .task(Lab.task("v", "next").build());
        for (int i = 0; i < 39; i++) {
            lab.pass(15_000).alive("p", running);
        }
        assertThat(lab.jobs).as("one, and fifteen that were cancelled").hasSize(16);
        lab.starting("q", lab.jobs.get(1));
        assertThat(lab.jobs).as("a pilot has taken one of these").hasSize(17);
        lab.pass(15_000).alive("p", running);

        assertThat(lab.jobs.stream().filter(job -> job.taskUid().equals("v")).distinct())
                .as("the time-out is over")
                .hasSize(15);
    }

    @Test
    void aPausedPoolSendsNoJobAgainUntilItIsResumed() {
        Job job = only(0);
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        for (int i = 0; i < 100; i++) {
            lab.idle("p").pass(15_000);
        }
        assertThat(lab.jobs).hasSize(1);
        lab.pool(Command.Type.POOL_RESUME, "cpu");
        for (int i = 0; i < 40; i++) {
            lab.idle("p").pass(15_000);
        }

        assertThat(lab.jobs).containsExactly(job, job);
    }

    @Test
    void aPoolWhosePilotsAreTooManyToBeKnownGetsALostMessageAgainToo() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPilots(
                        new PilotOptions(Duration.ofSeconds(15), Duration.ofSeconds(60), 2, Duration.ofMinutes(5), 1)));
        lab.idle("known");
        lab.dataset("in", 17).task(Lab.task("g", "in").gpu().build());
        lab.take("gpu");
        lab.pass(1);
        for (int i = 0; i < 400; i++) {
            lab.idle("known").idle("unknown", "gpu");
            Job job = lab.take("gpu");
            if (job != null) {
                lab.run("unknown", job);
            }
            lab.pass(15_000);
        }

        assertThat(lab.states("g")).endsWith("closed");
    }

    @Test
    void oneOfSeveralLanesThatHearsNoPilotsLearnsFromLaterStartsThatAMessageIsLost() {
        Lab lab = new Lab(SchedulerOptions.defaults().withLanes(2));
        lab.dataset("in", 1).task(Lab.task("lost", "in").build());
        lab.queues.get("cpu").clear();
        lab.pass(60_000).task(Lab.task("later", "in").build());
        Job later = lab.take();
        lab.starting("p", later).pass(5_000).finished("p", later).pass(560_000);

        assertThat(lab.take().taskUid()).isEqualTo("lost");
    }
}
