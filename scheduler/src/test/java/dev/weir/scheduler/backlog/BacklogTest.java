package dev.weir.scheduler.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.Groups;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Order;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BacklogTest {

    private static final int FILES = 50;

    private final Map<Long, Integer> given = new HashMap<>();
    private final Set<Long> released = new HashSet<>();
    private final Groups groups = new Groups(LimitOptions.none());
    private final Backlog backlog = new Backlog(
            new BacklogOwner() {
                @Override
                public String pool() {
                    return "cpu";
                }

                @Override
                public boolean takesTurns() {
                    return true;
                }

                @Override
                public boolean goesOn() {
                    return true;
                }

                @Override
                public int priorityNow(long position, int priority) {
                    return given.getOrDefault(position, priority);
                }

                @Override
                public void readinessChanged() {
                    // not observed here
                }
            },
            Order.PRIORITY,
            true,
            groups);

    @Test
    void filesThatWaitForAGroupAndAreDroppedLeaveNothingInItsQueue() {
        groups.command("closed", GroupLimit.inFlight(0), 1, 1);
        for (int i = 0; i < 100; i++) {
            backlog.add(i, 3, List.of("closed"));
            assertThat(backlog.next(true, new Dice(1), 1, released::contains)).isFalse();
            assertThat(backlog.isHeldByGroups()).isTrue();
            backlog.dropFresh(1);
        }

        assertThat(backlog.isHeldByGroups()).isFalse();
        assertThat(groups.get("closed").waiters()).isZero();
    }

    @Test
    void prioritiesThatAreGivenAgainAndAgainTakeNoMoreMemoryThanTheFilesThatWait() {
        Random random = new Random(7);
        for (long position = 0; position < FILES; position++) {
            given.put(position, 3);
            backlog.add(position, 3, List.of());
        }
        // Some were adopted: they stand where they stood, and wait no more.
        for (long position = 0; position < 10; position++) {
            released.add(position);
            backlog.forget(List.of(), 0);
        }
        for (int i = 0; i < 10_000; i++) {
            long position = 10 + random.nextInt(FILES - 10);
            given.put(position, 1 + random.nextInt(1_000_000));
            backlog.reprioritise(position, given.get(position), List.of(), released::contains);
            assertThat(backlog.positions()).isLessThanOrEqualTo(2 * (FILES + 1));
        }
        List<Long> order = new ArrayList<>();
        while (backlog.next(true, new Dice(1), 0, released::contains)) {
            order.add(backlog.position());
            released.add(backlog.position());
        }

        assertThat(order).hasSize(FILES - 10).doesNotHaveDuplicates();
        assertThat(order).isSortedAccordingTo((a, b) -> given.get(a) - given.get(b));
    }
}
