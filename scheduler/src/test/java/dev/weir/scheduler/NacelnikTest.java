package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Weir reproduces Nacelnik.Mk1. A queue is a pool with the policy {@code strict}, and the rank of its tasks is its priority; targets are
 * files in random order, networks are limit groups, and an agent is a pilot that names the pools it can serve, the first by priority first.
 * In progress is what was handed out: to an agent, or to the queue at the broker from which the next agent takes it.
 */
class NacelnikTest {

    private static final int LIMIT = 2;
    /** By priority. */
    private static final List<String> QUEUES = List.of("high", "middle", "other", "low");

    /** What the agents can serve, as bits of the queues above: all, one, and parts that overlap. */
    private static final int[] ABILITIES = {0b1111, 0b1000, 0b1010, 0b0110, 0b1001, 0b0100};

    private static final int AGENTS = 12;
    /** More than there are agents: when the queue at the broker is empty the pool has room. */
    private static final int WINDOW = AGENTS + 1;

    private final Map<String, Integer> inProgress = new HashMap<>();
    /** By queue, then network: the addresses that wait. */
    private final Map<String, Map<String, Set<String>>> waiting = new HashMap<>();
    /** By queue: handed out and not done. */
    private final Map<String, Integer> out = new HashMap<>();

    private Random random;
    private Lab lab;
    private int enqueued;
    private int assigned;

    /** An agent, the queues that it can serve by priority, and what it works at. */
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
        PoolOptions queue =
                PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(WINDOW);
        return SchedulerOptions.defaults()
                .withSeed(seed)
                .withPools(QUEUES.stream().collect(Collectors.toMap(name -> name, name -> queue)))
                .withLimits(new LimitOptions(
                        List.of(new GroupRule(GroupRule.Kind.NETWORK, null, GroupLimit.inFlight(LIMIT))), Map.of()));
    }

    private static List<Agent> agents() {
        List<Agent> agents = new ArrayList<>();
        for (int i = 0; i < AGENTS; i++) {
            int ability = ABILITIES[i % ABILITIES.length];
            agents.add(new Agent(
                    "agent-" + i,
                    IntStream.range(0, QUEUES.size())
                            .filter(queue -> (ability & 1 << queue) != 0)
                            .mapToObj(QUEUES::get)
                            .toList()));
        }
        return agents;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nacelnikWouldMakeTheSameAssignments(long seed) {
        random = new Random(seed);
        lab = new Lab(options(seed));
        List<Agent> agents = agents();
        agents.forEach(agent -> lab.idle(agent.name, agent.serves.toArray(String[]::new)));
        QUEUES.forEach(queue -> lab.pool(Command.Type.POOL_PAUSE, queue));
        enqueue("low", 40);
        enqueue("high", 20);
        enqueue("other", 20);
        enqueue("middle", 40);
        lab.now++;
        QUEUES.forEach(queue -> lab.pool(Command.Type.POOL_RESUME, queue));
        int done = 0;
        while (done < 150) {
            assignments();
            nothingReadyIsHeldBack();
            theTableOfNetworksIsNacelniks();
            Agent agent = agents.get(random.nextInt(agents.size()));
            if (agent.job == null) {
                serve(agent);
            } else {
                jobDone(agent);
                done++;
            }
            if (done == 40 && enqueued == 120) {
                enqueue("high", 15);
                enqueue("low", 15);
            }
        }

        assertThat(lab.jobs).hasSize(150);
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
            lab.apply(new Event.TaskArrived(Lab.task("q", "none")
                    .pool("high")
                    .order(Order.RANDOM)
                    .targets(files)
                    .build()));
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

    private boolean hasRoom(String queue) {
        return out.getOrDefault(queue, 0) < WINDOW;
    }

    private boolean isReady(String queue) {
        return waiting.getOrDefault(queue, Map.of()).entrySet().stream()
                .anyMatch(network ->
                        !network.getValue().isEmpty() && inProgress.getOrDefault(network.getKey(), 0) < LIMIT);
    }

    private void nothingReadyIsHeldBack() {
        for (String queue : QUEUES) {
            assertThat(hasRoom(queue) && isReady(queue))
                    .as("a network of queue %s is ready, and %d jobs of it are out", queue, out.get(queue))
                    .isFalse();
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

    /** enqueue(queue, addresses): the network if it is new, and its addresses. */
    private void enqueue(String queue, int count) {
        assignments();
        List<FileInfo> targets = new ArrayList<>();
        Map<String, Set<String>> networks = waiting.computeIfAbsent(queue, name -> new HashMap<>());
        while (targets.size() < count) {
            String address = "10.0." + random.nextInt(6) + "." + random.nextInt(256);
            if (networks.computeIfAbsent(network(address), name -> new HashSet<>())
                    .add(address)) {
                targets.add(target(address));
            }
        }
        enqueued += count;
        lab.apply(new Event.TaskArrived(Lab.task(queue + "-" + enqueued, "none")
                .pool(queue)
                .rank(QUEUES.size() - QUEUES.indexOf(queue))
                .ranker("fixed")
                .order(Order.RANDOM)
                .targets(targets)
                .build()));
    }

    /** What was handed out since the last look, one after the other. */
    private void assignments() {
        for (; assigned < lab.jobs.size(); assigned++) {
            getAssignment(lab.jobs.get(assigned));
        }
    }

    /**
     * get_assignment(queues): the first queue by priority with a ready network, of those for which there may be an agent; a ready network of it; a
     * target of that, which is taken away; one more in progress there.
     */
    private void getAssignment(Job job) {
        String queue = queue(job);
        String network = network(address(job));
        for (String better : QUEUES.subList(0, QUEUES.indexOf(queue))) {
            assertThat(hasRoom(better) && isReady(better))
                    .as("queue %s comes before %s and has a ready network", better, queue)
                    .isFalse();
        }
        assertThat(waiting.get(queue).get(network).remove(address(job))).isTrue();
        assertThat(inProgress.merge(network, 1, Integer::sum)).isLessThanOrEqualTo(LIMIT);
        out.merge(queue, 1, Integer::sum);
    }

    /** An agent asks: it gets something of the first of its queues that has anything for it. */
    private void serve(Agent agent) {
        for (String queue : agent.serves) {
            agent.job = lab.take(queue);
            if (agent.job != null) {
                assertThat(queue(agent.job)).isEqualTo(queue);
                lab.starting(agent.name, agent.job);
                return;
            }
            assertThat(isReady(queue))
                    .as("%s finds nothing in queue %s, which has a ready network", agent.name, queue)
                    .isFalse();
        }
    }

    /** job_done(queue, target): one less in progress; at the limit, the network is ready again in every queue that has it. */
    private void jobDone(Agent agent) {
        Job job = agent.job;
        agent.job = null;
        inProgress.merge(network(address(job)), -1, Integer::sum);
        out.merge(queue(job), -1, Integer::sum);
        lab.finished(agent.name, job).settle();
    }

    private static String queue(Job job) {
        return job.taskUid().substring(0, job.taskUid().indexOf('-'));
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
}
