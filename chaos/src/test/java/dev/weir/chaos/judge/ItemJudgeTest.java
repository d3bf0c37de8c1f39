package dev.weir.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.chaos.judge.SeenLease.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ItemJudgeTest {

    private final List<SeenLease> leases = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();

    private List<String> rules(boolean bad, boolean pushedOnce, String state) {
        return ItemJudge.judge(new SeenItem("k", pushedOnce, leases, state), bad, disturbances).stream()
                .map(Violation::rule)
                .toList();
    }

    private List<String> rules() {
        return rules(false, true, SeenItem.GONE);
    }

    private void lease(long at, long endAt, boolean finished, Reply reply) {
        leases.add(new SeenLease(at, endAt, endAt + 1, finished, reply));
    }

    @Test
    void anItemThatFailsOnceAndThenFinishesIsAsItShouldBe() {
        lease(0, 10, false, Reply.TAKEN);
        lease(20, 30, true, Reply.TAKEN);

        assertThat(rules()).isEmpty();
    }

    @Test
    void anItemThatTheQueueForgetsBeforeAnyWorkerFinishesItIsLost() {
        assertThat(rules()).containsExactly("item lost");
        lease(0, 10, true, Reply.OVER);
        assertThat(rules()).containsExactly("item lost");
        lease(20, 30, true, Reply.UNSURE);
        assertThat(rules()).isEmpty();
    }

    @Test
    void anItemThatStillWaitsIsNotOver() {
        assertThat(rules(false, true, "waiting")).containsExactly("item not over");
    }

    @Test
    void whatAlwaysFailsMustBeDeadAndNothingElse() {
        lease(0, 10, false, Reply.TAKEN);
        assertThat(rules(true, true, SeenItem.DEAD)).isEmpty();
        assertThat(rules(false, true, SeenItem.DEAD)).containsExactly("wrong outcome of an item");
    }

    @Test
    void twoWorkersMustNotHaveItAtOnce() {
        lease(0, 20, true, Reply.OVER);
        lease(10, 30, true, Reply.TAKEN);

        assertThat(rules()).containsExactly("two leases");
    }

    @Test
    void twoResultsMustNotBeTakenUnlessItWasPushedTwice() {
        lease(0, 10, true, Reply.TAKEN);
        lease(20, 30, true, Reply.TAKEN);

        assertThat(rules()).containsExactly("item ran twice");
        assertThat(rules(false, false, SeenItem.GONE)).isEmpty();
    }

    @Test
    void afterACrashItMayRunTwice() {
        lease(100, 120, true, Reply.TAKEN);
        lease(110, 130, true, Reply.TAKEN);

        disturbances.add(new Disturbance(0, 99));
        assertThat(rules()).containsExactly("two leases", "item ran twice");
        disturbances.add(new Disturbance(95, 105));
        assertThat(rules()).isEmpty();
    }
}
