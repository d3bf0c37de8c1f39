package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.Registration;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LifeOfATaskTest {

    private final Lab lab = Lab.withDefaults();

    @Test
    void everyFileBecomesOneJobAndTheDatasetClosesAfterTheLastWithAllThatWasRegistered() {
        lab.dataset("in", 1000).task(Lab.task("t", "in").build());
        Set<String> inputs = new HashSet<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            assertThat(lab.closes("t-out")).isEmpty();
            assertThat(inputs.add(job.fileInUrl())).isTrue();
            lab.run("p", job);
        }
        lab.pass(1_000);

        assertThat(inputs).hasSize(1000);
        assertThat(lab.checkList("t-out"))
                .hasSize(2000)
                .doesNotHaveDuplicates()
                .contains("f0.0.1.out", "f0.0.1.log", "f999.999.1.out");
        assertThat(lab.states("t")).containsExactly("accepted", "active", "closed");
        assertThat(lab.registrations.subList(2000, lab.registrations.size())).isEqualTo(lab.closes("t-out"));
    }

    @Test
    void nothingButTheMemoryOfItsUidsStaysInStateAfterATaskHasClosed() {
        lab.dataset("in", 700)
                .task(Lab.task("t", "in").retry(0).autoCancel(false).build());
        int n = 0;
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job);
            if (n++ % 3 == 0) {
                lab.failed("p", job).settle();
            } else {
                lab.finished("p", job).settle();
            }
        }
        lab.pass(1_000);

        assertThat(lab.states("t")).contains("closed");
        // the lane itself, the pilot, and two entries each that remember the uid and the dataset
        assertThat(lab.store.size()).isLessThanOrEqualTo(6);
    }

    @Test
    void aLongCheckListComesInParts() {
        lab.dataset("in", 12_001).task(Lab.task("t", "in").build());
        lab.runAll("p").pass(2_000);

        List<Registration.Close> parts = lab.closes("t-out");
        assertThat(parts).hasSize(25);
        assertThat(parts)
                .extracting(Registration.Close::part)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 25).boxed().toList());
        assertThat(parts).extracting(Registration.Close::parts).containsOnly(25);
        Set<String> names = new HashSet<>();
        parts.forEach(part -> names.addAll(part.checkList()));
        assertThat(names).hasSize(24_002);
    }

    @Test
    void aTasksRowCountsItsFilesOnceEachByWhatTheyAre() {
        Duration minute = Duration.ofMinutes(1);
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withCoolOff(minute, 1, minute, 0))
                .withPool("cpu", PoolOptions.defaults().withWindow(4)));
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").retry(9).build()));
        assertThat(lab.taskRows.get("t").counts().total()).isNull();
        assertThat(lab.taskRows.get("t").counts().waiting()).isNull();
        lab.dataset("in", 20).settle();
        Job first = lab.take();
        Job second = lab.take();
        Job third = lab.take();
        lab.starting("a", first).running("a", first).starting("b", second);
        lab.starting("c", third).finished("c", third);
        lab.starting("c", lab.jobs.get(3)).failed("c", lab.jobs.get(3)).pass(2_000);

        // One runs, one starts, one has finished, one cools off, two took the places of these two.
        JobCounts counts = lab.taskRows.get("t").counts();
        assertThat(counts).isEqualTo(new JobCounts(20L, 14L, 2, 1, 1, 1, 1, 0, 0, 0, 1, 0));
    }

    @Test
    void aKnownTaskIsIgnoredAndOneWithOtherContentsIsRejectedBeforeAndAfterItsEnd() {
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        lab.task(Lab.task("t", "in").build());
        lab.task(Lab.task("t", "in").rank(2).build());
        assertThat(lab.rejected).hasSize(1).first().asString().startsWith("uid:");
        lab.runAll("p");
        lab.task(Lab.task("t", "in").build());
        lab.task(Lab.task("t", "in").rank(2).build());

        assertThat(lab.rejected).hasSize(2);
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("task", 2L);
        assertThat(lab.states("t")).containsExactly("accepted", "active", "closed");
    }

    @Test
    void anOutputDatasetBelongsToOneActiveTaskOnly() {
        lab.dataset("in", 1).task(Lab.task("a", "in").output("o").build());
        lab.task(Lab.task("b", "in").output("o").build());
        assertThat(lab.rejected).hasSize(1).first().asString().startsWith("dat_out_uid:");
        lab.runAll("p");

        assertThat(lab.close("o").checkList()).hasSize(2);
    }

    @Test
    void cancelEndsWhatWaitsAtOnceAndWhatRunsWhenItsPilotSaysSo() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        Job running = lab.take();
        lab.starting("p", running).running("p", running);
        lab.command(Command.Type.CANCEL, "t");
        assertThat(lab.notices)
                .hasSize(1)
                .first()
                .extracting(Outbox.Told::pilotId)
                .isEqualTo("p");
        assertThat(lab.closes("t-out")).isEmpty();
        lab.alive("p", running);
        assertThat(lab.notices).hasSize(2);
        lab.apply(new Event.ReportArrived(Lab.result("p", running, dev.weir.protocol.Result.Outcome.CANCELLED, null)));

        assertThat(lab.states("t")).containsExactly("accepted", "active", "cancelled", "closed");
        assertThat(lab.taskRows.get("t").counts().cancelled()).isEqualTo(100);
        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.log");
    }

    @Test
    void aCancelledJobThatIsStillQueuedKeepsItsPlaceInTheWindowUntilAPilotStartsIt() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        lab.dataset("in2", 100);
        assertThat(lab.jobs).hasSize(16);
        lab.command(Command.Type.CANCEL, "t");
        assertThat(lab.states("t")).last().isEqualTo("closed");
        lab.task(Lab.task("u", "in2").build());
        assertThat(lab.jobs).hasSize(16);
        Job ghost = lab.take();
        lab.starting("p", ghost);

        assertThat(lab.notices).hasSize(1);
        assertThat(lab.jobs).hasSize(17);
    }

    @Test
    void closeLetsRunningJobsEndAndStartsNothingMore() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        Job running = lab.take();
        lab.starting("p", running);
        lab.command(Command.Type.CLOSE, "t");
        assertThat(lab.notices).isEmpty();
        lab.finished("p", running).settle();

        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(lab.taskRows.get("t").counts().finished()).isEqualTo(1);
        assertThat(lab.taskRows.get("t").counts().cancelled()).isEqualTo(99);
    }

    @Test
    void aPausedTaskStartsNothingUntilItIsResumed() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        lab.command(Command.Type.PAUSE, "t");
        int out = lab.jobs.size();
        lab.runAll("p");
        assertThat(lab.jobs).hasSize(out);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("paused");
        lab.pass(10);
        lab.command(Command.Type.RESUME, "t").settle();
        lab.runAll("p");

        assertThat(lab.states("t")).containsExactly("accepted", "active", "paused", "active", "closed");
        assertThat(lab.close("t-out").checkList()).hasSize(200);
    }

    @Test
    void aCommandIsAppliedOnceAndAnOlderOneNeverOverridesANewer() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        lab.now += 1000;
        lab.rank("t", 7);
        lab.now -= 500;
        lab.rank("t", 3);

        assertThat(lab.taskRows.get("t").baseRank()).isEqualTo(7);
    }

    @Test
    void aCommandThatIsEarlyWaitsForItsTaskAndIsRejectedWhenItDoesNotCome() {
        lab.rank("t", 7).rank("never", 3);
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        assertThat(lab.taskRows.get("t").baseRank()).isEqualTo(7);
        lab.pass(601_000);

        assertThat(lab.rejected).hasSize(1).first().asString().contains("never");
    }

    @Test
    void aDatasetThatWasClosedIsNotWrittenAgain() {
        Lab lab = Lab.withDefaults().dataset("a", 2);
        lab.task(Lab.task("t", "a").output("out").build()).runAll("p");
        assertThat(lab.closes("out")).hasSize(1);

        lab.task(Lab.task("u", "a").output("out").build());

        assertThat(lab.rejected)
                .singleElement()
                .asString()
                .contains("dat_out_uid")
                .contains("closed by task 't'");
        assertThat(lab.closes("out")).hasSize(1);
        assertThat(lab.take()).isNull();
    }

    @Test
    void aDatasetThatARejectedTaskWouldHaveWrittenMayBeWritten() {
        Lab lab = Lab.withDefaults().dataset("a", 2);
        lab.task(Lab.task("t", "unknown").output("out").build());
        assertThat(lab.states("t")).endsWith("rejected");

        lab.task(Lab.task("u", "a").output("out").build()).runAll("p");

        assertThat(lab.rejected).isEmpty();
        assertThat(lab.closes("out")).hasSize(1);
    }

    @Test
    void aTaskWhoseJobsWaitForAPilotSaysSo() {
        Lab lab = Lab.withDefaults().dataset("a", 3);
        lab.task(Lab.task("t", "a").gpu().build()).pass(10_000);

        assertThat(lab.taskRows.get("t").counts().queued()).isEqualTo(3);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("pilots");

        Job job = lab.take("gpu");
        lab.starting("p", job).pass(10_000);
        assertThat(lab.taskRows.get("t").counts().starting()).isEqualTo(1);
    }
}
