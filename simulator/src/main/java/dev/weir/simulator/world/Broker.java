package dev.weir.simulator.world;

import dev.weir.protocol.Job;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.Rand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * RabbitMQ as the parts of the world see it: messages take a while, may overtake each other or come twice, and wait while the
 * broker is away. Jobs wait in one queue a pool until a pilot asks.
 */
final class Broker {

    private final World world;
    private final Rand rand;
    private final Map<String, Deque<Job>> jobs = new TreeMap<>();
    private final Map<String, List<Pilot>> idle = new HashMap<>();
    private final List<Inbound> heldForWeir = new ArrayList<>();
    private boolean up = true;
    private long outageUntil;

    Broker(World world) {
        this.world = world;
        this.rand = Rand.of(world.scenario().seed(), "broker");
        for (String pool : world.scenario().options().pools().keySet()) {
            jobs.put(pool, new ArrayDeque<>());
            idle.put(pool, new ArrayList<>());
        }
    }

    boolean isUp() {
        return up;
    }

    long latency() {
        int most = world.scenario().latencyMillis();
        return world.scenario().faults().isEmpty() ? most : rand.between(1, most);
    }

    /** A message to Weir has been confirmed by the broker; it arrives some time, perhaps more than once. */
    void toWeir(Inbound message) {
        send(message);
        if (world.strikes(Fault.DUPLICATE, rand, 0.03)) {
            send(message);
        }
    }

    private void send(Inbound message) {
        long delay = world.strikes(Fault.DELAY, rand, 0.01) ? rand.between(100L, 90_000L) : latency();
        world.time().after(delay, () -> arrive(message));
    }

    private void arrive(Inbound message) {
        if (up) {
            world.weir().receive(message);
        } else {
            heldForWeir.add(message);
        }
    }

    void publish(String pool, Job job) {
        world.trace("queue", pool, job.uid(), job.attempt());
        jobs.get(pool).addLast(job);
        dispatch(pool);
    }

    /** The consumer of a job has gone before it acknowledged it. */
    void requeue(String pool, Job job) {
        jobs.get(pool).addFirst(job);
        dispatch(pool);
    }

    /** A pilot has nothing to do and asks all its queues. */
    void ask(Pilot pilot) {
        for (String pool : pilot.pools()) {
            idle.get(pool).add(pilot);
        }
        for (String pool : pilot.pools()) {
            dispatch(pool);
        }
    }

    void leave(Pilot pilot) {
        for (String pool : pilot.pools()) {
            idle.get(pool).remove(pilot);
        }
    }

    int queued(String pool) {
        return jobs.get(pool).size();
    }

    int idle(String pool) {
        return idle.get(pool).size();
    }

    private void dispatch(String pool) {
        Deque<Job> queue = jobs.get(pool);
        List<Pilot> waiting = idle.get(pool);
        while (up && !queue.isEmpty() && !waiting.isEmpty()) {
            Pilot pilot = waiting.get(rand.between(0, waiting.size() - 1));
            leave(pilot);
            Job job = queue.pollFirst();
            pilot.reserve(pool, job);
            world.time().after(latency(), pilot.whileAlive(() -> pilot.take(pool, job)));
        }
    }

    /** Everything stops for a while. Jobs that were not acknowledged go back to their queues: two pilots may have them. */
    void goAway(long millis) {
        outageUntil = Math.max(outageUntil, world.time().now() + millis);
        if (up) {
            up = false;
            world.trace("broker", "away", millis, "");
            for (Pilot pilot : world.pilots()) {
                pilot.connectionLost();
            }
        }
        world.time().after(millis, this::comeBack);
    }

    private void comeBack() {
        if (up || world.time().now() < outageUntil) {
            return;
        }
        up = true;
        world.trace("broker", "back", "", "");
        world.weir().brokerIsBack();
        List<Inbound> held = new ArrayList<>(heldForWeir);
        heldForWeir.clear();
        rand.shuffle(held);
        for (Inbound message : held) {
            world.time().after(rand.between(0, 500), () -> arrive(message));
        }
        for (Pilot pilot : world.pilots()) {
            pilot.brokerIsBack();
        }
        jobs.keySet().forEach(this::dispatch);
    }

    void loseJobs() {
        for (Map.Entry<String, Deque<Job>> queue : jobs.entrySet()) {
            world.trace(
                    "broker",
                    "loses the queue of",
                    queue.getKey(),
                    queue.getValue().size());
            queue.getValue().clear();
        }
    }

    Rand rand() {
        return rand;
    }
}
