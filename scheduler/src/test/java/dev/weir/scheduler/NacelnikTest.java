package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.GroupRule;
import dev.weir.scheduler.options.LimitOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Weir plays Nacelnik.Mk1 (seed 000): queues are tasks in a pool with the policy {@code strict}, targets are files in random order,
 * networks are limit groups, and the list of queues that an agent can serve is the list of pools that it takes from.
 */
class NacelnikTest {

    private static final int LIMIT = 2;
    private static final Map<String, Integer> PRIORITIES = Map.of("low", 1, "middle", 5, "high", 9, "other", 3);

    private final Map<String, Integer> inProgress = new HashMap<>();
    /** By queue, then network: the addresses that wait. */
    private final Map<String, Map<String, Set<String>>> waiting = new HashMap<>();

    private Random random;
    private Lab lab;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyAssignmentIsOneThatNacelnikWouldMake(long seed) {
        random = new Random(seed);
        lab = new Lab(SchedulerOptions.defaults()
                .withSeed(seed)
                .withPool(
                        "cpu",
                        PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(9))
                .withPool(
                        "gpu",
                        PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(3))
                .withLimits(new LimitOptions(
                        List.of(new GroupRule(GroupRule.Kind.NETWORK, null, GroupLimit.inFlight(LIMIT))), Map.of())));
        lab.pool(Command.Type.POOL_PAUSE, "cpu").pool(Command.Type.POOL_PAUSE, "gpu");
        enqueue("low", 40);
        enqueue("high", 30);
        enqueue("other", 20);
        enqueue("middle", 40);
        lab.now++;
        lab.pool(Command.Type.POOL_RESUME, "cpu").pool(Command.Type.POOL_RESUME, "gpu");
        List<Job> agents = new ArrayList<>();
        int assigned = 0;
        while (assigned < lab.jobs.size() || !agents.isEmpty()) {
            for (; assigned < lab.jobs.size(); assigned++) {
                getAssignment(lab.jobs.get(assigned));
                agents.add(lab.jobs.get(assigned));
            }
            Job done = agents.remove(random.nextInt(agents.size()));
            jobDone(done);
        }

        assertThat(assigned).isEqualTo(130);
        assertThat(lab.scheduler.metrics().openTasks()).isZero();
    }

    private static String address(Job job) {
        return job.fileInUrl().substring(job.fileInUrl().lastIndexOf('/') + 1);
    }

    private static String network(String address) {
        return address.substring(0, address.lastIndexOf('.'));
    }

    /** enqueue(queue, addresses): the network if it is new, and its addresses. */
    private void enqueue(String queue, int count) {
        List<FileInfo> targets = new ArrayList<>();
        Map<String, Set<String>> networks = waiting.computeIfAbsent(queue, name -> new HashMap<>());
        while (targets.size() < count) {
            String address = "10.0." + random.nextInt(6) + "." + random.nextInt(256);
            if (networks.computeIfAbsent(network(address), name -> new HashSet<>())
                    .add(address)) {
                targets.add(new FileInfo(address, "tcp://" + address, "", null, null, null, null, null));
            }
        }
        TaskBuilder task = Lab.task(queue, "none")
                .rank(PRIORITIES.get(queue))
                .order(Order.RANDOM)
                .targets(targets);
        lab.apply(new Event.TaskArrived(queue.equals("other") ? task.gpu().build() : task.build()));
    }

    /** get_assignment(queues): the first queue by priority with a ready network; a ready network of it; a target of that. */
    private void getAssignment(Job job) {
        String network = network(address(job));
        waiting.forEach((queue, networks) -> {
            boolean sameAgents = queue.equals("other") == job.taskUid().equals("other");
            if (sameAgents && PRIORITIES.get(queue) > PRIORITIES.get(job.taskUid())) {
                networks.forEach((other, addresses) -> assertThat(
                                addresses.isEmpty() || inProgress.getOrDefault(other, 0) == LIMIT)
                        .as("queue %s comes before %s and its network %s is ready", queue, job.taskUid(), other)
                        .isTrue());
            }
        });
        assertThat(waiting.get(job.taskUid()).get(network).remove(address(job))).isTrue();
        assertThat(inProgress.merge(network, 1, Integer::sum)).isLessThanOrEqualTo(LIMIT);
    }

    /** job_done(queue, target): one less in progress; at the limit, the network is ready again in every queue that has it. */
    private void jobDone(Job job) {
        String pilot = "agent-" + job.uid();
        lab.starting(pilot, job);
        inProgress.merge(network(address(job)), -1, Integer::sum);
        lab.finished(pilot, job).settle();
    }
}
