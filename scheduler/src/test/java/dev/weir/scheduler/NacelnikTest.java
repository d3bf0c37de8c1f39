package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.lane.LaneAudit;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Weir plays Nacelnik.Mk1 (seed 000): queues are tasks in a pool with the policy {@code strict}, targets are files in random order,
 * networks are limit groups, and the list of queues that an agent can serve is the list of pools that it takes from. So an agent serves all
 * queues of a pool or none; of several pools it takes first from the one that it names first, which is its own choice and not ours.
 */
class NacelnikTest {

    private static final int LIMIT = 2;
    private static final int CPU_WINDOW = 9;
    private static final int GPU_WINDOW = 3;
    private static final Map<String, Integer> PRIORITIES = Map.of("low", 1, "middle", 5, "high", 9, "other", 3);

    private final Map<String, Integer> inProgress = new HashMap<>();
    /** By queue, then network: the addresses that wait. */
    private final Map<String, Map<String, Set<String>>> waiting = new HashMap<>();

    private Random random;
    private Lab lab;

    /** An agent, the queues that it can serve, and what it works at. */
    private static final class Agent {
        final String name;
        final List<String> serves;
        Job job;

        Agent(String name, List<String> serves) {
            this.name = name;
            this.serves = serves;
        }
    }

    private static SchedulerOptions options(long seed) {
        return SchedulerOptions.defaults()
                .withSeed(seed)
                .withPool(
                        "cpu",
                        PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(CPU_WINDOW))
                .withPool(
                        "gpu",
                        PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(GPU_WINDOW))
                .withLimits(new LimitOptions(
                        List.of(new GroupRule(GroupRule.Kind.NETWORK, null, GroupLimit.inFlight(LIMIT))), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyAssignmentIsOneThatNacelnikWouldMake(long seed) {
        random = new Random(seed);
        lab = new Lab(options(seed));
        lab.pool(Command.Type.POOL_PAUSE, "cpu").pool(Command.Type.POOL_PAUSE, "gpu");
        enqueue("low", 40);
        enqueue("high", 30);
        enqueue("other", 20);
        enqueue("middle", 40);
        lab.now++;
        lab.pool(Command.Type.POOL_RESUME, "cpu").pool(Command.Type.POOL_RESUME, "gpu");
        List<Agent> agents = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            List<String> serves = i % 4 == 0 ? List.of("gpu", "cpu") : List.of(i % 4 == 1 ? "gpu" : "cpu");
            agents.add(new Agent("agent-" + i, serves));
        }
        int assigned = 0;
        int done = 0;
        while (done < 130) {
            for (; assigned < lab.jobs.size(); assigned++) {
                getAssignment(lab.jobs.get(assigned));
            }
            nothingReadyIsHeldBack();
            theTableOfNetworksIsNacelniks();
            Agent agent = agents.get(random.nextInt(agents.size()));
            if (agent.job == null) {
                serve(agent);
            } else {
                jobDone(agent);
                done++;
            }
        }

        assertThat(lab.jobs).hasSize(130);
        assertThat(lab.scheduler.metrics().openTasks()).isZero();
        assertThat(LaneAudit.groupsInFlight(lab.scheduler)).isEmpty();
    }

    @Test
    void theNetworkIsDrawnAmongNetworksWhateverTheirSizeAndTheTargetAmongItsTargets() {
        int draws = 600;
        Map<String, Integer> networks = new HashMap<>();
        Map<String, Integer> targets = new HashMap<>();
        for (long seed = 0; seed < draws; seed++) {
            lab = new Lab(options(seed));
            List<FileInfo> files = new ArrayList<>();
            for (int network = 1; network <= 3; network++) {
                for (int target = 0; target < 5 * network * network; target++) {
                    files.add(target("10.0." + network + "." + target));
                }
            }
            lab.apply(new Event.TaskArrived(
                    Lab.task("q", "none").order(Order.RANDOM).targets(files).build()));
            String first = address(lab.jobs.get(0));
            networks.merge(network(first), 1, Integer::sum);
            targets.merge(first, 1, Integer::sum);
        }

        // Each network once in three, within five standard deviations; of 5, 20 and 45 targets each about as often as
        // the others of its network.
        assertThat(networks.values())
                .hasSize(3)
                .allSatisfy(count -> assertThat(count).isBetween(142, 258));
        targets.forEach((address, count) -> {
            double expected = 200.0 / (address.startsWith("10.0.1.") ? 5 : address.startsWith("10.0.2.") ? 20 : 45);
            assertThat((double) count).as(address).isLessThan(expected + 6 * Math.sqrt(expected));
        });
        assertThat(targets.size()).isGreaterThan(66);
    }

    /** What Nacelnik would assign is assigned, while there are agents for it: as many as the pool's window. */
    private void nothingReadyIsHeldBack() {
        for (String pool : List.of("cpu", "gpu")) {
            long out = lab.scheduler.metrics().pools().get(pool).queued()
                    + lab.scheduler.metrics().pools().get(pool).started();
            if (out < (pool.equals("cpu") ? CPU_WINDOW : GPU_WINDOW)) {
                waiting.forEach((queue, networks) -> networks.forEach(
                        (network, addresses) -> assertThat(!pool(queue).equals(pool)
                                        || addresses.isEmpty()
                                        || inProgress.getOrDefault(network, 0) == LIMIT)
                                .as("network %s of queue %s is ready, and %d jobs are out", network, queue, out)
                                .isTrue()));
            }
        }
    }

    /** Network → in progress. One without is forgotten, unless it has targets. */
    private void theTableOfNetworksIsNacelniks() {
        Map<String, Integer> table = new HashMap<>();
        inProgress.forEach((network, jobs) -> {
            if (jobs > 0) {
                table.put(network, jobs);
            }
        });
        waiting.values()
                .forEach(networks -> networks.forEach((network, addresses) -> {
                    if (!addresses.isEmpty()) {
                        table.putIfAbsent(network, 0);
                    }
                }));
        Map<String, Integer> kept = new HashMap<>();
        LaneAudit.groupsInFlight(lab.scheduler)
                .forEach((key, jobs) -> kept.put(key.replaceAll("net:(.*)\\.0/24", "$1"), jobs));
        assertThat(kept).isEqualTo(table);
    }

    /** The agent takes a job from the first of its queues that has one. */
    private void serve(Agent agent) {
        for (String pool : agent.serves) {
            if (agent.job == null) {
                agent.job = lab.take(pool);
                assertThat(agent.job == null || pool(agent.job.taskUid()).equals(pool))
                        .isTrue();
            }
        }
        if (agent.job != null) {
            lab.starting(agent.name, agent.job);
        }
    }

    private static String pool(String queue) {
        return queue.equals("other") ? "gpu" : "cpu";
    }

    private static FileInfo target(String address) {
        return new FileInfo(address, "tcp://" + address, "", null, null, null, null, null);
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
                targets.add(target(address));
            }
        }
        TaskBuilder task = Lab.task(queue, "none")
                .rank(PRIORITIES.get(queue))
                .order(Order.RANDOM)
                .targets(targets);
        lab.apply(new Event.TaskArrived(pool(queue).equals("gpu") ? task.gpu().build() : task.build()));
    }

    /** get_assignment(queues): the first queue by priority with a ready network; a ready network of it; a target of that. */
    private void getAssignment(Job job) {
        String network = network(address(job));
        waiting.forEach((queue, networks) -> {
            boolean sameAgents = pool(queue).equals(pool(job.taskUid()));
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
    private void jobDone(Agent agent) {
        Job job = agent.job;
        agent.job = null;
        inProgress.merge(network(address(job)), -1, Integer::sum);
        lab.finished(agent.name, job).settle();
    }
}
