package dev.weir.scheduler.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.ErrorType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every number has a range; what lies outside is refused with its name, what lies at an end is taken. */
class OptionsTest {

    private static final Duration ZERO = Duration.ZERO;
    private static final Duration MS = Duration.ofMillis(1);
    private static final Duration S = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofDays(10_000);
    private static final AttemptOptions ATTEMPTS = AttemptOptions.defaults();
    private static final PilotOptions PILOTS = PilotOptions.defaults();
    private static final RankOptions RANK = RankOptions.defaults();
    private static final PoolOptions POOL = PoolOptions.defaults();
    private static final AdmissionOptions ADMISSION = AdmissionOptions.defaults();
    private static final ReadingOptions READING = ReadingOptions.defaults();

    private static Arguments refused(String option, Supplier<?> wrong) {
        return Arguments.of(option, wrong);
    }

    static Stream<Arguments> outside() {
        return Stream.of(
                refused("lanes", () -> SchedulerOptions.defaults().withLanes(0)),
                refused("pools", () -> SchedulerOptions.defaults().withPools(Map.of())),
                refused("max-active-tasks", () -> ADMISSION.withMaxActiveTasks(0)),
                refused("max-open-tasks", () -> ADMISSION.withMaxOpenTasks(0)),
                refused("wait-per-rank", () -> ADMISSION.withWaitPerRank(ZERO)),
                refused("wait-per-rank", () -> ADMISSION.withWaitPerRank(LONG)),
                refused("read-ahead", () -> ADMISSION.withReadAhead(-1)),
                refused("closed-memory", () -> ADMISSION.withClosedMemory(MS)),
                refused("chunk-files", () -> READING.withChunkFiles(0)),
                refused("page-files", () -> READING.withPageFiles(0)),
                refused("page-timeout", () -> READING.withPageTimeout(ZERO, S)),
                refused("page-timeout-max", () -> READING.withPageTimeout(S, MS)),
                refused("alpha", () -> RANK.withFormula(-1, 0, 0, S)),
                refused("beta", () -> RANK.withFormula(0, 2000, 0, S)),
                refused("gamma", () -> RANK.withFormula(0, 0, 1.01, S)),
                refused("gamma", () -> RANK.withFormula(0, 0, Double.NaN, S)),
                refused("horizon", () -> RANK.withFormula(0, 0, 0, ZERO)),
                refused("demote-to", () -> RANK.withDemoteTo(0)),
                refused("system-retry-time", () -> ATTEMPTS.withSystemRetryTime(MS.negated())),
                refused("storage-away-after", () -> ATTEMPTS.withStorageAwayAfter(-1)),
                refused("attempt-slack", () -> ATTEMPTS.withAttemptSlack(ZERO)),
                refused("cool-off", () -> ATTEMPTS.withCoolOff(MS.negated(), 1, S, 0)),
                refused("cool-off-factor", () -> ATTEMPTS.withCoolOff(MS, 0.5, S, 0)),
                refused("cool-off-max", () -> ATTEMPTS.withCoolOff(S, 1, MS, 0)),
                refused("cool-off-jitter", () -> ATTEMPTS.withCoolOff(MS, 1, S, 1.5)),
                refused("queued-timeout", () -> ATTEMPTS.withQueuedTimeout(ZERO)),
                refused("job-timeout", () -> ATTEMPTS.withJobTimeout(MS)),
                refused("auto-cancel-from", () -> ATTEMPTS.withAutoCancelFrom(0)),
                refused("heartbeat", () -> PILOTS.withLease(ZERO, S)),
                refused("lease", () -> PILOTS.withLease(S, S.multipliedBy(2).minusMillis(1))),
                refused("set-aside-after", () -> PILOTS.withSetAside(-1, S)),
                refused("set-aside", () -> PILOTS.withSetAside(1, ZERO)),
                refused("max-pilots", () -> new PilotOptions(MS, S, 1, S, 0)),
                refused("window", () -> POOL.withWindow(-1)),
                refused("window-min", () -> POOL.withWindowBounds(0, 5)),
                refused("window-max", () -> POOL.withWindowBounds(6, 5)),
                refused("max-in-flight", () -> GroupLimit.inFlight(-1)),
                refused("max-starts", () -> new GroupLimit(1, -1, S)),
                refused("max-starts", () -> new GroupLimit(1, 1, null)),
                refused("window", () -> new GroupLimit(1, 1, ZERO)),
                refused("a pattern", () -> new GroupRule(GroupRule.Kind.REGEX, null, GroupLimit.NONE)),
                refused("a pattern", () -> new GroupRule(GroupRule.Kind.HOST, Pattern.compile("x"), GroupLimit.NONE)),
                refused("memory", () -> new CommandOptions(MS, S, 1)),
                refused("wait-for-task", () -> new CommandOptions(S, LONG, 1)),
                refused("max-waiting", () -> new CommandOptions(S, S, -1)),
                refused("task-interval", () -> new MirrorOptions(true, ZERO)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outside")
    void whatLiesOutsideIsRefusedByName(String option, Supplier<?> wrong) {
        assertThatThrownBy(wrong::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(option);
    }

    @Test
    void bothEndsOfARangeBelongToIt() {
        assertThat(RANK.withFormula(0, 0, 0, MS).gamma()).isZero();
        assertThat(RANK.withFormula(1000, 1000, 1, Duration.ofDays(365)).gamma())
                .isEqualTo(1);
        assertThat(ATTEMPTS.withCoolOff(S, 1, S, 1).coolOffMax()).isEqualTo(S);
        assertThat(ATTEMPTS.withJobTimeout(S).jobTimeout()).isEqualTo(S);
        assertThat(POOL.withWindowBounds(5, 5).windowMax()).isEqualTo(5);
        assertThat(PILOTS.withLease(S, S.multipliedBy(2)).lease()).isEqualTo(S.multipliedBy(2));
        assertThat(GroupLimit.inFlight(0).maxInFlight()).isZero();
    }

    @Test
    void aFixedWindowThatIsSmallerThanTheSmallestLowersThatAndAutomaticKeepsIt() {
        assertThat(POOL.withWindow(3).windowMin()).isEqualTo(3);
        assertThat(POOL.withWindow(100).windowMin()).isEqualTo(16);
        assertThat(POOL.withWindow(PoolOptions.AUTO)).isEqualTo(POOL);
    }

    @Test
    void aPartThatIsReplacedLeavesTheOthersAsTheyWere() {
        SchedulerOptions all = SchedulerOptions.defaults();
        assertThat(all.withLanes(1)
                        .withPools(all.pools())
                        .withPool("cpu", POOL)
                        .withAdmission(ADMISSION.withReadAhead(8).withClosedMemory(Duration.ofDays(30)))
                        .withReading(READING.withPageFiles(2000).withChunkFiles(250))
                        .withRank(RANK.withRanker(RankOptions.LINEAR_AGEING).withDemoteTo(5))
                        .withAttempts(ATTEMPTS.withErrorRules(ErrorRule.defaults())
                                .withJobTimeout(Duration.ofHours(24))
                                .withQueuedTimeout(Duration.ofMinutes(10))
                                .withSystemRetryTime(Duration.ofHours(24))
                                .withStorageAwayAfter(10)
                                .withAttemptSlack(Duration.ofHours(1))
                                .withAutoCancelFrom(10))
                        .withPilots(PILOTS.withSetAside(5, Duration.ofMinutes(5)))
                        .withLimits(LimitOptions.none())
                        .withCommands(CommandOptions.defaults())
                        .withMirror(MirrorOptions.defaults())
                        .withSeed(0))
                .isEqualTo(all);
    }

    @Test
    void anErrorRuleFitsWhenAllThatItSaysFits() {
        ErrorRule rule = new ErrorRule(3, ErrorType.EXIT, Pattern.compile("no licence"), ErrorClass.PERMANENT);
        List<Boolean> fits = List.of(
                rule.matches(3, ErrorType.EXIT, "there is no licence left"),
                rule.matches(4, ErrorType.EXIT, "no licence"),
                rule.matches(null, ErrorType.EXIT, "no licence"),
                rule.matches(3, ErrorType.TIMEOUT, "no licence"),
                rule.matches(3, ErrorType.EXIT, "no luck"),
                rule.matches(3, ErrorType.EXIT, null),
                new ErrorRule(null, null, null, ErrorClass.SYSTEM).matches(null, null, null));

        assertThat(fits).containsExactly(true, false, false, false, false, false, true);
    }

    /** The order of Map.of differs at each start of Java, so an iteration over it could not be repeated. */
    @Test
    void poolsAndGroupsAreInTheOrderOfTheirNames() {
        Map<String, PoolOptions> pools = new HashMap<>();
        Map<String, GroupLimit> groups = new HashMap<>();
        for (int i = 0; i < 9; i++) {
            pools.put("p" + i, PoolOptions.defaults());
            groups.put("g" + i, GroupLimit.NONE);
        }

        assertThat(SchedulerOptions.defaults().withPools(pools).pools().keySet())
                .containsExactly("p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8");
        assertThat(new LimitOptions(List.of(), groups).groups().keySet())
                .containsExactly("g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8");
    }
}
