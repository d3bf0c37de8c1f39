package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.ReadingOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks that hold all slots and wait for full groups or for DSM: when others are admitted all the same. */
class BlockedSlotsTest {

    private static Lab slots(int most) {
        return new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(most))
                .withPool("cpu", PoolOptions.defaults().withWindow(4)));
    }

    @Test
    void tasksOfAClosedGroupLeaveTheirSlotsToOthers() {
        Lab lab = slots(3);
        lab.served().limit("tape", 0, null, null).dataset("in", 3);
        for (int i = 0; i < 20; i++) {
            lab.task(Lab.task("tape" + i, "in").groups("tape").rank(50).build());
        }
        lab.task(Lab.task("disk", "in").build());
        for (int i = 0; i < 40; i++) {
            lab.settle().pass(1);
        }

        assertThat(lab.queues.get("cpu"))
                .hasSize(3)
                .allMatch(job -> job.taskUid().equals("disk"));
        lab.limit("tape", 9, null, null);
        lab.runAll("p").settle();
        assertThat(lab.scheduler.metrics().openTasks()).isZero();
    }

    @Test
    void oneTaskBeyondTheSlotsIsAdmittedInAMillisecondSoThatNoEventAdmitsThousands() {
        Lab lab = slots(3);
        lab.served().limit("tape", 4, null, null);
        for (int i = 0; i < 500; i++) {
            lab.apply(new Event.TaskArrived(Lab.task("t" + i, "in")
                    .groups("tape")
                    .targets(List.of(Lab.file("a"), Lab.file("b")))
                    .build()));
        }
        Job job = lab.take();
        lab.limit("tape", 0, null, null).starting("p", job);
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(3);
        lab.finished("p", job);
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(4);

        lab.pass(100);
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(104);
    }

    @Test
    void noMoreAreAdmittedThanMayBeWhileOneOfThemHasAFileToStartOrTheWindowIsFull() {
        Lab lab = slots(2);
        lab.served().limit("tape", 1, null, null).dataset("in", 30).dataset("two", 2);
        lab.task(Lab.task("tape", "two").groups("tape").build())
                .task(Lab.task("disk", "in").build())
                .task(Lab.task("next", "in").build());
        lab.pass(60_000);
        assertThat(lab.states("next")).as("the window is full").containsExactly("accepted");
        for (int started = 0; started < 25; ) {
            Job job = lab.take();
            if (job.taskUid().equals("disk")) {
                lab.run("p", job);
                started++;
            }
            assertThat(lab.states("next")).doesNotContain("active");
        }
        lab.runAll("p");

        assertThat(lab.states("next")).endsWith("active", "closed");
        assertThat(lab.jobs.stream().filter(job -> job.taskUid().equals("tape")))
                .hasSize(1);
    }

    @Test
    void whoWaitsForDsmKeepsItsSlotWhileAllOthersAreBlocked() {
        Lab lab = slots(2);
        lab.served().limit("tape", 0, null, null).dataset("in", 3);
        lab.apply(new Event.TaskArrived(Lab.task("tape", "in").groups("tape").build()));
        lab.apply(new Event.TaskArrived(Lab.task("disk", "in").chunkFiles(1).build()));
        lab.apply(lab.answer(lab.pages.remove()));
        lab.apply(new Event.TaskArrived(Lab.task("next", "in").build()));
        PageRequest slow = lab.pages.remove();
        assertThat(slow.taskUid()).isEqualTo("disk");
        lab.settle().pass(1_000);
        List<String> before = lab.states("next");
        lab.apply(lab.answer(slow)).settle();

        assertThat(before).endsWith("active");
        assertThat(lab.jobs).extracting(Job::taskUid).contains("next", "disk");
    }

    @Test
    void aBlockedTaskKeepsNoOtherFromItsSlotWhileTheRestOfItsDatasetIsRead() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withReading(ReadingOptions.defaults().withPageFiles(10))
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1)));
        lab.served().limit("tape", 0, null, null).dataset("big", 3000).dataset("in", 3);
        lab.apply(new Event.TaskArrived(Lab.task("tape", "big")
                .groups("tape")
                .order(Order.RANDOM)
                .rank(50)
                .build()));
        lab.apply(new Event.TaskArrived(Lab.task("disk", "in").build()));
        for (int answers = 0; answers < 4; answers++) {
            lab.pass(1_000).apply(lab.answer(lab.pages.remove()));
        }

        assertThat(lab.jobs).extracting(Job::taskUid).contains("disk");
    }

    @Test
    void aTaskWithItsFilesIsAdmittedAlsoWhenASecondRequestShowsThatDsmIsSilent() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(2).withReadAhead(0)));
        lab.dataset("ok", 4);
        lab.apply(new Event.TaskArrived(Lab.task("failing", "in").build()));
        PageRequest first = lab.pages.remove();
        lab.apply(new Event.PageFailed("failing", "in", first.offset(), first.limit(), false, "DSM says 503"));
        lab.apply(new Event.TaskArrived(Lab.task("ok", "ok").build()));
        lab.apply(lab.answer(lab.pages.remove()));
        lab.pass(1_000);
        lab.apply(new Event.TaskArrived(Lab.task("asked", "in2").build()));
        lab.apply(new Event.TaskArrived(Lab.task("behind", "in3").build()));
        lab.apply(new Event.TaskArrived(
                Lab.task("here", "in4").targets(List.of(Lab.file("a"))).build()));
        // "failing" is asked again before the answer to "asked" is late.
        lab.pass(59_100);

        assertThat(lab.events.stream()
                        .filter(event -> event.state() == TaskState.ACTIVE)
                        .map(TaskEvent::taskUid))
                .containsExactly("ok", "here");
    }
}
