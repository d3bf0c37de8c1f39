package dev.weir.simulator.scenario;

import com.google.re2j.Pattern;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Names;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.ReadingOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Draws the core's options: small windows, chunks and budgets, so that every edge is met within a few hundred jobs. */
final class OptionsDraw {

    /** The exit code that means: trying again is no use. */
    static final int PERMANENT_EXIT = 64;

    /** With a group of their own, without, and with one that does not always match. */
    private static final List<String> EXPRESSIONS =
            List.of("/f\\d*([0-4])\\.raw$", "store\\d", "/(?:store(\\d))?[^/]*/data", "run[02468]/");

    private final Rand rand;

    OptionsDraw(long seed) {
        rand = Rand.of(seed, "options");
    }

    SchedulerOptions draw(long seed) {
        return SchedulerOptions.defaults()
                .withPools(Map.of(Names.CPU_POOL, pool(), Names.GPU_POOL, pool()))
                .withAdmission(admission())
                .withReading(reading())
                .withRank(rank().withDemoteTo(Rand.of(seed, "demotion").between(2, 6)))
                .withAttempts(attempts(Rand.of(seed, "storage"), Rand.of(seed, "overdue"), Rand.of(seed, "missing")))
                .withPilots(pilots())
                .withLimits(limits(Rand.of(seed, "expressions")))
                .withCommands(new CommandOptions(
                        Duration.ofDays(30), Duration.ofMillis(rand.between(10_000, 600_000)), 10_000))
                .withMirror(new MirrorOptions(true, Duration.ofMillis((long) rand.magnitude(1, 2000))))
                .withSeed(seed);
    }

    private PoolOptions pool() {
        PoolOptions pool = PoolOptions.defaults()
                .withPolicy(rand.oneOf(
                        PoolOptions.IWRR,
                        PoolOptions.IWRR,
                        PoolOptions.IWRR,
                        PoolOptions.STRICT,
                        PoolOptions.WRR,
                        PoolOptions.WFQ));
        return rand.chance(0.6)
                ? pool.withWindow((int) rand.magnitude(1, 60))
                : pool.withWindowBounds(rand.between(1, 16), 200);
    }

    private AdmissionOptions admission() {
        AdmissionOptions some = AdmissionOptions.defaults().withReadAhead(rand.between(0, 3));
        return rand.chance(0.3)
                ? some.withMaxActiveTasks(rand.between(1, 4))
                        .withWaitPerRank(Duration.ofMillis((long) rand.magnitude(50, 600_000)))
                : some;
    }

    private ReadingOptions reading() {
        long timeout = rand.between(2_000, 30_000);
        return ReadingOptions.defaults()
                .withChunkFiles((int) rand.magnitude(1, 60))
                .withPageFiles((int) rand.magnitude(1, 120))
                .withPageTimeout(Duration.ofMillis(timeout), Duration.ofMillis(timeout * rand.between(1, 4)));
    }

    private RankOptions rank() {
        return RankOptions.defaults()
                .withRanker(rand.chance(0.5) ? RankOptions.FIXED : RankOptions.LINEAR_AGEING)
                .withFormula(
                        rand.between(0, 3),
                        rand.between(0, 2),
                        rand.oneOf(0.0, 0.5, 0.9),
                        Duration.ofSeconds(rand.between(10, 600)));
    }

    private AttemptOptions attempts(Rand storage, Rand slack, Rand missing) {
        boolean overdue = slack.chance(0.1);
        List<ErrorRule> rules = new ArrayList<>();
        rules.add(new ErrorRule(PERMANENT_EXIT, null, null, ErrorClass.PERMANENT));
        rules.addAll(ErrorRule.defaults());
        long first = rand.chance(0.2) ? 0 : rand.between(1, 10_000);
        return AttemptOptions.defaults()
                .withErrorRules(rules)
                .withSystemRetryTime(systemRetryTime(rand.between(0, 10)))
                .withMissingRetryTime(Duration.ofMillis(missing.between(0, 120_000)))
                .withStorageAwayAfter(storage.chance(0.2) ? 0 : storage.between(1, 12))
                .withJobTimeout(Duration.ofSeconds(overdue ? slack.between(5, 60) : 86_400))
                .withAttemptSlack(Duration.ofMillis(overdue ? slack.between(1_000, 30_000) : 3_600_000))
                .withCoolOff(
                        Duration.ofMillis(first),
                        rand.chance(0.5) ? 1 : 2,
                        Duration.ofMillis(Math.max(first, 30_000)),
                        rand.chance(0.5) ? 0 : 0.2)
                .withQueuedTimeout(Duration.ofMillis(rand.between(20_000, 300_000)))
                .withAutoCancelFrom(rand.between(2, 10));
    }

    /** None for some, and for others up to ten minutes. */
    private static Duration systemRetryTime(int drawn) {
        return Duration.ofSeconds(6L * drawn * drawn);
    }

    private PilotOptions pilots() {
        return PilotOptions.defaults()
                .withLease(Duration.ofSeconds(15), Duration.ofSeconds(rand.oneOf(30, 60, 60, 120)))
                .withSetAside(rand.chance(0.5) ? 0 : rand.between(2, 5), Duration.ofSeconds(rand.between(10, 120)));
    }

    private LimitOptions limits(Rand expressions) {
        if (rand.chance(0.5)) {
            return LimitOptions.none();
        }
        List<GroupRule> rules = new ArrayList<>();
        if (rand.chance(0.6)) {
            rules.add(new GroupRule(GroupRule.Kind.HOST, null, limit(rand)));
        }
        if (rand.chance(0.5)) {
            rules.add(new GroupRule(GroupRule.Kind.NETWORK, null, limit(rand)));
        }
        for (int i = expressions.chance(0.5) ? expressions.between(1, 2) : 0; i > 0; i--) {
            GroupRule rule = new GroupRule(
                    GroupRule.Kind.REGEX, Pattern.compile(expressions.pick(EXPRESSIONS)), limit(expressions));
            rules.add(expressions.between(0, rules.size()), rule);
        }
        Map<String, GroupLimit> groups = new HashMap<>();
        for (String name : TaskDraw.GROUPS) {
            if (rand.chance(0.5)) {
                groups.put(name, limit(rand));
            }
        }
        return new LimitOptions(rules, groups);
    }

    private static GroupLimit limit(Rand rand) {
        int inFlight = rand.chance(0.7) ? rand.between(1, 6) : GroupLimit.UNLIMITED;
        return rand.chance(0.4)
                ? new GroupLimit(inFlight, rand.between(1, 8), Duration.ofSeconds(rand.between(1, 30)))
                : GroupLimit.inFlight(inFlight);
    }
}
