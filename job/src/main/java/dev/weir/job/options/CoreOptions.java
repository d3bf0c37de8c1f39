package dev.weir.job.options;

import dev.weir.engine.limit.LimitOptions;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.ReadingOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ReadableConfig;

/** Converts {@link SchedulingOptions} to the options of the core. Throws with the option's name when a value is out of range. */
public final class CoreOptions {

    private CoreOptions() {}

    public static SchedulerOptions of(ReadableConfig c) {
        return new SchedulerOptions(
                c.get(JobOptions.LANES),
                pools(c),
                new AdmissionOptions(
                        c.get(SchedulingOptions.MAX_ACTIVE_TASKS),
                        c.get(SchedulingOptions.MAX_OPEN_TASKS),
                        c.get(SchedulingOptions.WAIT_PER_RANK),
                        c.get(SchedulingOptions.READ_AHEAD),
                        c.get(SchedulingOptions.CLOSED_MEMORY)),
                new ReadingOptions(
                        c.get(SchedulingOptions.CHUNK_FILES),
                        c.get(SchedulingOptions.PAGE_FILES),
                        c.get(SchedulingOptions.PAGE_TIMEOUT),
                        c.get(SchedulingOptions.PAGE_TIMEOUT_MAX)),
                new RankOptions(
                        c.get(SchedulingOptions.RANKER),
                        c.get(SchedulingOptions.RANK_ALPHA),
                        c.get(SchedulingOptions.RANK_BETA),
                        c.get(SchedulingOptions.RANK_GAMMA),
                        c.get(SchedulingOptions.RANK_HORIZON),
                        c.get(SchedulingOptions.DEMOTE_TO)),
                attempts(c),
                new PilotOptions(
                        c.get(SchedulingOptions.HEARTBEAT),
                        c.get(SchedulingOptions.LEASE),
                        c.get(SchedulingOptions.SET_ASIDE_AFTER),
                        c.get(SchedulingOptions.SET_ASIDE),
                        c.get(SchedulingOptions.MAX_PILOTS)),
                new LimitOptions(
                        RuleText.groupRules(c.get(SchedulingOptions.GROUP_RULES)),
                        RuleText.groupLimits(c.get(SchedulingOptions.GROUP_LIMITS)),
                        c.get(SchedulingOptions.MAX_GROUPS),
                        c.get(SchedulingOptions.MAX_FILES_IN_MEMORY)),
                new CommandOptions(
                        c.get(SchedulingOptions.COMMAND_MEMORY),
                        c.get(SchedulingOptions.COMMAND_WAIT),
                        c.get(SchedulingOptions.COMMAND_WAIT_MAX)),
                new dev.weir.scheduler.options.MirrorOptions(
                        c.get(MirrorOptions.ENABLED), c.get(SchedulingOptions.TASK_ROW_INTERVAL)),
                c.get(SchedulingOptions.SEED));
    }

    private static AttemptOptions attempts(ReadableConfig c) {
        return new AttemptOptions(
                RuleText.errorRules(c.get(SchedulingOptions.ERROR_RULES)),
                c.get(SchedulingOptions.SYSTEM_RETRY_TIME),
                c.get(SchedulingOptions.MISSING_RETRY_TIME),
                c.get(SchedulingOptions.STORAGE_AWAY_AFTER),
                c.get(SchedulingOptions.COOL_OFF),
                c.get(SchedulingOptions.COOL_OFF_FACTOR),
                c.get(SchedulingOptions.COOL_OFF_MAX),
                c.get(SchedulingOptions.COOL_OFF_JITTER),
                c.get(SchedulingOptions.QUEUED_TIMEOUT),
                c.get(SchedulingOptions.JOB_TIMEOUT),
                c.get(SchedulingOptions.ATTEMPT_SLACK),
                c.get(SchedulingOptions.AUTO_CANCEL_FROM));
    }

    private static Map<String, PoolOptions> pools(ReadableConfig c) {
        Map<String, PoolOptions> pools = new TreeMap<>();
        for (String pool : c.get(JobOptions.POOLS)) {
            pools.put(pool, PoolSettings.of(c, pool));
        }
        return pools;
    }
}
