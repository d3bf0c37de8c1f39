package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityTest {

    private Lab lab = new Lab(
            SchedulerOptions.defaults().withPool("cpu", PoolOptions.defaults().withWindow(1)));

    private static List<FileInfo> files(int... priorities) {
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < priorities.length; i++) {
            files.add(new FileInfo("f" + i, "file:///in", "", null, null, null, priorities[i], null));
        }
        return files;
    }

    private String runAll() {
        StringBuilder order = new StringBuilder();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            order.append(job.fileInUrl().replaceAll(".*f", ""));
            lab.run("p", job);
        }
        return order.toString();
    }

    private void reprioritise(int position, int priority) {
        reprioritise(position, priority, lab.now);
    }

    private void reprioritise(int position, int priority, long givenAt) {
        lab.apply(new Event.CommandArrived(Command.priority(
                "c" + position + "-" + priority, Instant.ofEpochMilli(givenAt), null, "t", position, priority)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPriorityCanBeChangedBothWaysWhileItsFileWaits(boolean restart) {
        lab.dataset("in", files(1, 2, 3, 4, 5, 6))
                .task(Lab.task("t", "in").order(Order.PRIORITY).build());
        reprioritise(5, 1);
        reprioritise(1, 9);
        reprioritise(3, 1);
        reprioritise(3, 4);
        if (restart) {
            lab.restore(lab.store);
        }

        assertThat(runAll()).isEqualTo("052341");
        assertThat(lab.close("t-out").checkList()).hasSize(12);
        // lane, pilot, and two entries for the task, its dataset, and each of the four commands
        assertThat(lab.store.size()).isEqualTo(14);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOlderCommandThatComesLateDoesNotOverrideTheNewerPriority(boolean restart) {
        lab.dataset("in", files(1, 2, 3, 4))
                .task(Lab.task("t", "in").order(Order.PRIORITY).build());
        reprioritise(3, 1, 500_000);
        if (restart) {
            lab.restore(lab.store);
        }
        reprioritise(3, 9, 499_999);
        reprioritise(2, 8, 499_999);
        assertThat(lab.scheduler.metrics().ignored().get("older command")).isEqualTo(1);

        assertThat(runAll()).isEqualTo("0312");
    }

    @Test
    void onlyAFileThatWaitsCanBeGivenAnotherPriority() {
        lab.dataset("in", files(1, 2))
                .task(Lab.task("t", "in").order(Order.PRIORITY).build());
        reprioritise(0, 3);
        reprioritise(7, 3);

        assertThat(lab.rejected).hasSize(2).allMatch(reason -> reason.startsWith("position"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatHasWaitedTooLongFallsToPriorityFive(boolean restart) {
        lab.dataset("in", files(1, 1, 2, 5, 4, 7))
                .task(Lab.task("t", "in").order(Order.PRIORITY).demoteAfterS(60).build());
        lab.run("p", lab.take());
        lab.pass(61_000);
        if (restart) {
            lab.restore(lab.store);
        }

        // The second one was out already; of the rest all that were better are 5 now, in their order.
        assertThat(runAll()).isEqualTo("12345");
        // Among the tasks nothing has changed.
        assertThat(lab.jobs).extracting(Job::rank).containsOnly(1.0);
    }

    @Test
    void ofVeryManyFilesThatFallAtOnceNoEventMovesMoreThanFiftyThousand() {
        int last = 59_999;
        lab.dataset("in", files(IntStream.rangeClosed(0, last).map(i -> 1).toArray()))
                .task(Lab.task("t", "in").order(Order.PRIORITY).demoteAfterS(60).build())
                .settle();
        lab.pass(61_000);
        reprioritise(last, 4);

        lab.run("p", lab.take());
        Job byItsOldPriority = lab.take();
        assertThat(byItsOldPriority.fileInUrl()).endsWith("/f50001");
        lab.run("p", byItsOldPriority);
        assertThat(lab.take().fileInUrl()).endsWith("/f" + last);
    }

    @Test
    void aFileThatHasNotWaitedLongEnoughKeepsItsPriority() {
        lab.dataset("in", files(1, 4, 1, 3))
                .task(Lab.task("t", "in").order(Order.PRIORITY).demoteAfterS(60).build());
        lab.pass(59_000);

        assertThat(runAll()).isEqualTo("0231");
    }

    @Test
    void toWhichPriorityAFileFallsIsAnOption() {
        lab = new Lab(SchedulerOptions.defaults()
                .withRank(RankOptions.defaults().withDemoteTo(8))
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.dataset("in", files(1, 1, 7, 9, 8, 6))
                .task(Lab.task("t", "in").order(Order.PRIORITY).demoteAfterS(60).build());
        lab.run("p", lab.take());
        lab.pass(61_000);

        assertThat(runAll()).isEqualTo("12453");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDemotedFileThatIsGivenAPriorityHasItForAsLongAsANewOne(boolean restart) {
        lab.dataset("in", files(1, 2, 2, 2, 2, 6))
                .task(Lab.task("t", "in").order(Order.PRIORITY).demoteAfterS(60).build());
        lab.pass(61_000);
        reprioritise(4, 1);
        reprioritise(3, 4);
        if (restart) {
            lab.restore(lab.store);
        }
        lab.run("p", lab.take());
        assertThat(lab.take().fileInUrl()).endsWith("f4");
        lab.pass(60_000);
        lab.run("p", lab.jobs.get(lab.jobs.size() - 1));

        // The other one has waited too long again.
        assertThat(runAll()).isEqualTo("1235");
    }
}
