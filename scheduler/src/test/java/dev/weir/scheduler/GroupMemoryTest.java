package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.CommandOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long groups are remembered, and how lanes share them. */
class GroupMemoryTest {

    private static Lab startsPerHost(int starts, int seconds) {
        GroupLimit limit = new GroupLimit(GroupLimit.UNLIMITED, starts, Duration.ofSeconds(seconds));
        return LimitsTest.lab(new GroupRule(GroupRule.Kind.HOST, null, limit));
    }

    private static int groupsInState(Lab lab) {
        int[] count = {0};
        lab.store.forEach(Tables.GROUP, (key, record) -> count[0]++);
        return count[0];
    }

    @Test
    void anUnusedGroupIsForgottenWhenItsLastStartHasLeftTheWindow() {
        Lab lab = startsPerHost(2, 10);
        lab.dataset("in", LimitsTest.files(50, 2))
                .task(Lab.task("t", "in").build())
                .runAll("p");
        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(groupsInState(lab)).isEqualTo(50);
        lab.pass(9_999);
        assertThat(groupsInState(lab)).isEqualTo(50);
        lab.pass(1);
        assertThat(groupsInState(lab)).isZero();
        assertThat(lab.scheduler.nextDeadlineMillis()).isGreaterThan(lab.now);
    }

    @Test
    void aGroupThatIsForgottenAfterARestartKeepsItsStartsUntilThen() {
        Lab lab = startsPerHost(2, 10);
        lab.dataset("in", LimitsTest.files(1, 2))
                .task(Lab.task("t", "in").build())
                .runAll("p");
        lab.now += 4_000;
        lab.restore(lab.store);
        lab.dataset("in2", LimitsTest.files(1, 3)).task(Lab.task("u", "in2").build());
        assertThat(lab.take()).isNull();
        lab.pass(6_000);
        assertThat(lab.queues.get("cpu")).hasSize(2);
        lab.command(Command.Type.CANCEL, "u").pass(3_600_000);
        lab.restore(lab.store);
        assertThat(groupsInState(lab)).isZero();
    }

    @Test
    void aStartedGroupThatWaitsAgainBeforeItsWindowIsEmptyIsNotForgotten() {
        Lab lab = startsPerHost(1, 10);
        lab.dataset("in", LimitsTest.files(1, 3)).task(Lab.task("t", "in").build());
        for (int i = 0; i < 3; i++) {
            lab.run("p", lab.take());
            assertThat(lab.take()).isNull();
            lab.pass(10_000);
        }
        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(groupsInState(lab)).isZero();
    }

    @Test
    void aCommandThatIsOlderThanAllLeavesNoGroupBehind() {
        Lab lab = Lab.withDefaults();
        lab.apply(new Event.CommandArrived(Command.limit("c", Instant.ofEpochMilli(-1), "test", "g", 3, null, null)));

        assertThat(lab.scheduler.metrics().ignored()).containsEntry("older command", 1L);
        assertThat(LaneAudit.groupsInFlight(lab.scheduler)).isEmpty();
    }

    @Test
    void aSteeredGroupIsNotForgotten() {
        Lab lab = startsPerHost(5, 10);
        lab.dataset("in", LimitsTest.files(1, 2)).task(Lab.task("t", "in").build());
        lab.limit("host:h0", 1, null, null).runAll("p").pass(3_600_000);
        lab.restore(lab.store);
        lab.dataset("in2", LimitsTest.files(1, 2)).task(Lab.task("u", "in2").build());

        assertThat(lab.queues.get("cpu")).hasSize(1);
    }

    @Test
    void aGroupThatIsLimitedAsConfiguredAgainIsForgottenWhenNoOlderCommandIsToBeExpectedAnyMore() {
        long memory = CommandOptions.defaults().memory().toMillis();
        Lab lab = LimitsTest.lab(LimitsTest.hosts(4));
        lab.limit("lifted", 1, null, null).limit("host:h0", 1, null, null).lift("host:h1");
        lab.now += 1_000;
        lab.lift("lifted").limit("host:h0", 4, null, null);
        assertThat(groupsInState(lab)).isEqualTo(3);
        lab.restore(lab.store).pass(memory - 1);
        assertThat(groupsInState(lab)).isEqualTo(3);
        lab.pass(1);

        assertThat(groupsInState(lab)).isOne();
        assertThat(LaneAudit.groupsInFlight(lab.scheduler)).containsOnlyKeys("host:h1");
    }

    @Test
    void lanesShareALimitAndEachMayUseAtLeastOneOfIt() {
        GroupLimit whole = new GroupLimit(7, 2, Duration.ofSeconds(3));
        List<GroupLimit> parts = List.of(whole.ofLane(0, 3), whole.ofLane(1, 3), whole.ofLane(2, 3));

        assertThat(parts).extracting(GroupLimit::maxInFlight).containsExactly(3, 2, 2);
        assertThat(parts).extracting(GroupLimit::maxStarts).containsExactly(1, 1, 1);
        assertThat(GroupLimit.NONE.ofLane(1, 3)).isEqualTo(GroupLimit.NONE);
        assertThat(GroupLimit.inFlight(0).ofLane(1, 3)).isEqualTo(GroupLimit.inFlight(0));
        assertThat(whole.ofLane(0, 1)).isEqualTo(whole);
    }

    @Test
    void aLaneKeepsToItsPartOfALimitHoweverItWasGiven() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withLanes(2)
                .withPool("cpu", PoolOptions.defaults().withWindow(1000))
                .withLimits(new LimitOptions(List.of(LimitsTest.hosts(4)), Map.of())));
        lab.dataset("in", LimitsTest.files(1, 20)).task(Lab.task("t", "in").build());
        assertThat(lab.queues.get("cpu")).hasSize(2);
        lab.limit("host:h0", 10, null, null);
        assertThat(lab.queues.get("cpu")).hasSize(5);
        lab.restore(lab.store);
        lab.finished("p", lab.take()).settle();

        assertThat(lab.queues.get("cpu")).hasSize(5);
    }
}
