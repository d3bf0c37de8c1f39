package dev.weir.bench.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceTest {

    private static final List<Load.Change> NONE = List.of();

    private static Service service(int[] weights, long[] files, List<Load.Change> changes, int... order) {
        return new Service(new Load("test", weights, files, changes, order.length), order);
    }

    @Test
    void aCycleThatGivesEachTaskItsWeightIsFair() {
        Service service = service(new int[] {2, 1}, new long[] {9, 9}, NONE, 0, 1, 0, 0, 1, 0);

        assertThat(service.jain(1).leastSteady()).isCloseTo(1, within(1e-9));
        assertThat(service.jain(1).steady()).isEqualTo(2);
    }

    @Test
    void ofNTasksWithAllJobsForOneTheIndexIsOneInN() {
        Service service = service(new int[] {1, 1, 1, 1}, new long[] {9, 9, 9, 9}, NONE, 2, 2, 2, 2);

        assertThat(service.jain(1).mean()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void aWaitCountsTheJobsThatWereDueMeanwhile() {
        Service service = service(new int[] {1, 1}, new long[] {9, 9}, NONE, 0, 1, 1, 1, 1, 0);

        Service.Wait wait = service.longestWait();

        assertThat(wait.task()).isZero();
        assertThat(wait.jobs()).isEqualTo(5);
        assertThat(wait.ownJobs()).isCloseTo(2.5, within(1e-9));
    }

    @Test
    void aTaskWithoutFilesIsNotDueAndDoesNotCount() {
        Service service = service(new int[] {1, 1}, new long[] {1, 9}, NONE, 0, 1, 1, 1);

        assertThat(service.jain(1).mean()).isCloseTo(1, within(1e-9));
        assertThat(service.longestWait().ownJobs()).isCloseTo(1.5, within(1e-9));
        // Two jobs make the first cycle; alone, the other gets a cycle with each job.
        assertThat(service.jain(1).intervals()).isEqualTo(3);
    }

    @Test
    void aNewWeightCountsFromWhenItIsGiven() {
        List<Load.Change> changes = List.of(new Load.Change(2, 0, 3));
        Service service = service(new int[] {1, 1}, new long[] {9, 9}, changes, 0, 1, 0, 0, 0, 1);

        assertThat(service.jain(1).mean()).isCloseTo(1, within(1e-9));
        assertThat(service.jain(1).steady()).isEqualTo(1);
    }

    @Test
    void theCoreGivesTheJobsOfALoadInTheOrderOfItsPolicy() {
        Load load = new Load("test", new int[] {2, 1}, new long[] {4, 2}, NONE, 6);

        assertThat(CoreRun.order(load, "iwrr")).containsExactly(0, 1, 0, 0, 1, 0);
        assertThat(CoreRun.order(load, "wrr")).containsExactly(0, 0, 1, 0, 0, 1);
    }

    @Test
    void theShippedQueuesAreAsManyAsTheRealOnes() throws Exception {
        List<Queue> queues = Queue.ofLhcb();

        assertThat(queues).hasSize(498);
        assertThat(queues.stream().mapToInt(Queue::jobs).sum()).isEqualTo(871_925);
        assertThat(queues.stream().mapToInt(Queue::weight).max()).hasValue(100);
    }
}
