package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Names;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * All options of the scheduling core, immutable. Start from {@link #defaults()} and replace parts.
 *
 * @param lanes number of lanes that share the work, from 1; each takes 1/lanes of a pool's window
 * @param pools the pools by name; a report from another pool is rejected
 * @param seed seed of random order and jitter, so that a run can be repeated
 */
public record SchedulerOptions(
        int lanes,
        Map<String, PoolOptions> pools,
        AdmissionOptions admission,
        ReadingOptions reading,
        RankOptions rank,
        AttemptOptions attempts,
        PilotOptions pilots,
        LimitOptions limits,
        CommandOptions commands,
        MirrorOptions mirror,
        long seed) {

    public SchedulerOptions {
        Range.check("lanes", lanes, 1, 1 << 15);
        // Sorted by name: the order of Map.copyOf differs between two starts of Java, so a run could not be
        // repeated.
        pools = Collections.unmodifiableSortedMap(new TreeMap<>(pools));
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools: at least one pool is needed");
        }
    }

    /** One lane; pools {@code cpu} and {@code gpu}. */
    public static SchedulerOptions defaults() {
        return new SchedulerOptions(
                1,
                Map.of(Names.CPU_POOL, PoolOptions.defaults(), Names.GPU_POOL, PoolOptions.defaults()),
                AdmissionOptions.defaults(),
                ReadingOptions.defaults(),
                RankOptions.defaults(),
                AttemptOptions.defaults(),
                PilotOptions.defaults(),
                LimitOptions.none(),
                CommandOptions.defaults(),
                MirrorOptions.defaults(),
                0);
    }

    public SchedulerOptions withLanes(int value) {
        return new SchedulerOptions(
                value, pools, admission, reading, rank, attempts, pilots, limits, commands, mirror, seed);
    }

    public SchedulerOptions withPools(Map<String, PoolOptions> value) {
        return new SchedulerOptions(
                lanes, value, admission, reading, rank, attempts, pilots, limits, commands, mirror, seed);
    }

    /** Adds a pool or replaces it. */
    public SchedulerOptions withPool(String name, PoolOptions value) {
        Map<String, PoolOptions> all = new TreeMap<>(pools);
        all.put(name, value);
        return withPools(all);
    }

    public SchedulerOptions withAdmission(AdmissionOptions value) {
        return new SchedulerOptions(
                lanes, pools, value, reading, rank, attempts, pilots, limits, commands, mirror, seed);
    }

    public SchedulerOptions withReading(ReadingOptions value) {
        return new SchedulerOptions(
                lanes, pools, admission, value, rank, attempts, pilots, limits, commands, mirror, seed);
    }

    public SchedulerOptions withRank(RankOptions value) {
        return new SchedulerOptions(
                lanes, pools, admission, reading, value, attempts, pilots, limits, commands, mirror, seed);
    }

    public SchedulerOptions withAttempts(AttemptOptions value) {
        return new SchedulerOptions(
                lanes, pools, admission, reading, rank, value, pilots, limits, commands, mirror, seed);
    }

    public SchedulerOptions withPilots(PilotOptions value) {
        return new SchedulerOptions(
                lanes, pools, admission, reading, rank, attempts, value, limits, commands, mirror, seed);
    }

    public SchedulerOptions withLimits(LimitOptions value) {
        return new SchedulerOptions(
                lanes, pools, admission, reading, rank, attempts, pilots, value, commands, mirror, seed);
    }

    public SchedulerOptions withCommands(CommandOptions value) {
        return new SchedulerOptions(
                lanes, pools, admission, reading, rank, attempts, pilots, limits, value, mirror, seed);
    }

    public SchedulerOptions withMirror(MirrorOptions value) {
        return new SchedulerOptions(
                lanes, pools, admission, reading, rank, attempts, pilots, limits, commands, value, seed);
    }

    public SchedulerOptions withSeed(long value) {
        return new SchedulerOptions(
                lanes, pools, admission, reading, rank, attempts, pilots, limits, commands, mirror, value);
    }
}
