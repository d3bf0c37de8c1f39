package dev.weir.scheduler.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.LimitOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeptPlaceTest {

    private final Groups groups = new Groups(new LimitOptions(List.of(), Map.of("two", GroupLimit.inFlight(2))));
    private final List<String> woken = new ArrayList<>();

    /** One who waits, and uses what it is woken for. */
    private final class One extends Waiting {
        private final String name;
        private final boolean takesTurns;
        private boolean waits = true;

        One(String name, String pool, boolean takesTurns) {
            super(pool);
            this.name = name;
            this.takesTurns = takesTurns;
        }

        @Override
        public boolean takesTurns() {
            return takesTurns;
        }

        @Override
        public boolean waitsFor(Group group) {
            return waits;
        }

        @Override
        public boolean wake(Group group) {
            waits = false;
            woken.add(name);
            return true;
        }

        @Override
        public void giveBack(long nowMillis) {
            groups.giveBack(groups.get("two"), nowMillis);
        }
    }

    private One one(String name) {
        return new One(name, "cpu", true);
    }

    private GroupSet of(String... keys) {
        return groups.resolve(List.of(keys));
    }

    /** One that was woken for a group of two, where nothing has started, and keeps one of the places from 10 to 20. */
    private One keeper() {
        Group two = groups.get("two");
        two.held();
        One keeper = one("keeper");
        groups.command("two", GroupLimit.inFlight(0), 1, 1);
        groups.park(two, keeper, false, 1);
        groups.command("two", GroupLimit.inFlight(2), 2, 2);
        assertThat(groups.mayKeep(two, groups.get("other"), keeper, 10)).isTrue();
        groups.keep(two, keeper, 10, 20);
        return keeper;
    }

    @Test
    void aPlaceThatIsKeptIsForNobodyElseWhateverItWasWokenFor() {
        One keeper = keeper();
        Group two = groups.get("two");
        groups.started(of("two"), 10);
        assertThat(groups.blocking(of("two"), one("x"), null, 10)).isSameAs(two);
        assertThat(groups.blocking(of("two"), one("x"), two, 10)).isSameAs(two);
        assertThat(groups.blocking(of("two"), new One("x", "gpu", true), null, 10))
                .isSameAs(two);
        assertThat(groups.blocking(of("two"), keeper, null, 10)).isNull();
        assertThat(groups.blocking(of("two"), null, null, 10)).isNull();
        groups.park(two, one("x"), false, 10);
        groups.park(two, new One("y", "gpu", true), false, 10);
        groups.park(two, new One("s", "strict", false), false, 10);
        groups.started(of("two"), 10);
        groups.ended(of("two"), 11);
        // Where the policy decides who goes first nothing is kept, nor is what others keep.
        assertThat(woken).containsExactly("keeper", "s");
        groups.giveBack(two, 12);

        assertThat(woken).containsExactly("keeper", "s", "x", "y");
    }

    @Test
    void aPlaceIsKeptOnlyUntilItsTimeIsOverAndThenNoneIsForAsLong() {
        keeper();
        Group two = groups.get("two");
        groups.started(of("two"), 10);
        groups.park(two, one("x"), false, 10);
        assertThat(groups.nextDeadlineMillis()).isEqualTo(20);
        groups.tick(19);
        assertThat(woken).containsExactly("keeper");
        groups.tick(20);
        assertThat(woken).containsExactly("keeper", "x");
        groups.started(of("two"), "cpu", 20);

        assertThat(groups.mayKeep(two, groups.get("other"), one("x"), 29)).isFalse();
        assertThat(groups.mayKeep(two, groups.get("other"), one("x"), 30)).isTrue();
    }

    @Test
    void betweenTwoStartsAGroupKeepsAPlaceOnce() {
        One keeper = keeper();
        Group two = groups.get("two");
        groups.giveBack(two, 10);
        assertThat(groups.mayKeep(two, groups.get("other"), keeper, 10)).isFalse();
        groups.started(of("other"), "cpu", 10);

        assertThat(groups.mayKeep(two, groups.get("other"), keeper, 10)).isTrue();
    }

    @Test
    void oneAtATimeKeepsPlacesWhileItWaitsForAGroupAndNobodyForOneThatIsClosed() {
        Group two = groups.get("two");
        One first = one("first");
        Groups.await(of("two", "other"), groups.get("other"), first);
        assertThat(groups.mayKeep(two, groups.get("other"), one("second"), 1)).isFalse();
        assertThat(groups.mayKeep(two, groups.get("other"), first, 1)).isTrue();
        Groups.await(of("two", "other"), null, first);
        assertThat(groups.mayKeep(two, groups.get("other"), one("second"), 1)).isTrue();
        groups.command("other", GroupLimit.inFlight(0), 1, 1);

        assertThat(groups.mayKeep(two, groups.get("other"), one("second"), 1)).isFalse();
    }

    @Test
    void placesAreKeptInTheSmallerOfTwoGroups() {
        assertThat(Groups.isBefore(groups.get("two"), groups.get("other"))).isTrue();
        assertThat(Groups.isBefore(groups.get("other"), groups.get("two"))).isFalse();
        assertThat(Groups.isBefore(groups.get("p"), groups.get("q")))
                .isNotEqualTo(Groups.isBefore(groups.get("q"), groups.get("p")));
        assertThat(Groups.isBefore(groups.get("p"), groups.get("p"))).isFalse();
    }

    @Test
    void whoWaitsFirstIsWokenFirstAndIsNotKeptInMemoryWhenItWaitsNoMore() {
        Group two = groups.get("two");
        groups.command("two", GroupLimit.inFlight(0), 1, 1);
        groups.park(two, one("last"), false, 1);
        for (int i = 0; i < 100; i++) {
            One goes = one("goes");
            groups.park(two, goes, true, 1);
            goes.waits = false;
            Groups.left(two, goes, true);
            assertThat(two.waiters()).isLessThanOrEqualTo(3);
        }
        groups.park(two, one("first"), true, 1);
        groups.park(two, one("second"), true, 1);
        groups.command("two", GroupLimit.inFlight(5), 2, 2);

        assertThat(woken).containsExactly("first", "second", "last");
        assertThat(two.hasWaiting()).isFalse();
    }
}
