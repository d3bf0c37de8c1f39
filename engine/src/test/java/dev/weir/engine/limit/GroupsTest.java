package dev.weir.engine.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupsTest {

    private static final GroupLimit RATE = new GroupLimit(GroupLimit.UNLIMITED, 2, Duration.ofMillis(100));

    private final Groups groups =
            new Groups(new LimitOptions(List.of(), Map.of("two", GroupLimit.inFlight(2), "rate", RATE)));
    private final List<String> granted = new ArrayList<>();
    private int compared;

    /** Files that wait. */
    private final class One implements FileBucket {
        private final String name;
        private final Object task;
        private final String pool;
        private final GroupSet groups;
        private final boolean takesTurns;
        private boolean mayStart = true;
        private Waiter waiter;

        One(String name, Object task, String pool, boolean takesTurns, String... groups) {
            this.name = name;
            this.task = task == null ? this : task;
            this.pool = pool;
            this.takesTurns = takesTurns;
            this.groups = of(groups);
        }

        One waits(long now) {
            waiter = GroupsTest.this.groups.await(full(now), this, waiter, now);
            return this;
        }

        Group full(long now) {
            return GroupsTest.this.groups.full(this, waiter, takesTurns, now);
        }

        void starts(long now) {
            GroupsTest.this.groups.started(groups, pool, now);
            if (waiter != null) {
                waiter.started(now);
            }
        }

        @Override
        public long files() {
            return 1;
        }

        @Override
        public String pool() {
            return pool;
        }

        @Override
        public Object task() {
            return task;
        }

        @Override
        public GroupSet groups() {
            return groups;
        }

        @Override
        public boolean takesTurns() {
            return takesTurns;
        }

        @Override
        public boolean goesBefore(FileBucket other) {
            compared++;
            return name.compareTo(((One) other).name) > 0;
        }

        @Override
        public boolean mayStart() {
            return mayStart;
        }

        @Override
        public void granted() {
            granted.add(name);
        }
    }

    /** In group "two". */
    private One one(String name) {
        return new One(name, null, "cpu", true, "two");
    }

    private One ofTask(Object task, String name) {
        return new One(name, task, "cpu", true, "two");
    }

    private One strict(String name, Object task) {
        return new One(name, task, "strict", false, "two");
    }

    private void limit(int most, long at) {
        groups.command("two", GroupLimit.inFlight(most), at, at);
    }

    private GroupSet of(String... keys) {
        return groups.resolve(List.of(keys));
    }

    @Test
    void aGroupThatIsNamedTwiceInOldStateCountsOnce() {
        groups.started(of("two", "free", "two"), 0);
        groups.started(of("two", "two"), 0);
        assertThat(groups.get("two").inFlight()).isEqualTo(2);
        groups.ended(of("two", "two"), 1);

        assertThat(groups.get("two").inFlight()).isEqualTo(1);
        assertThat(groups.get("free").inFlight()).isEqualTo(1);
    }

    @Test
    void asManyAreGrantedAPlaceAsAreFreeInTheOrderInWhichTheyCame() {
        limit(0, 1);
        One a = one("a").waits(1);
        One b = one("b").waits(1);
        one("c").waits(1);
        limit(1, 2);
        assertThat(granted).containsExactly("a");
        a.starts(3);
        assertThat(granted).containsExactly("a");
        groups.ended(of("two"), 4);
        assertThat(granted).containsExactly("a", "b");
        b.starts(5);
        groups.ended(of("two"), 6);

        assertThat(granted).containsExactly("a", "b", "c");
    }

    @Test
    void aGrantedPlaceIsTakenForOthersOfItsPoolAlone() {
        limit(0, 1);
        One a = one("a").waits(1);
        limit(1, 2);
        Group two = groups.get("two");

        assertThat(a.full(2)).isNull();
        assertThat(one("x").full(2)).isSameAs(two);
        assertThat(new One("x", null, "gpu", true, "two").full(2)).isNull();
        assertThat(groups.full(one("again"), null, false, 2)).isNull();
        groups.started(of("two"), "gpu", 2);
        assertThat(a.full(2)).isSameAs(two);
        a.waits(2);
        one("b").waits(2);
        groups.ended(of("two"), 3);
        assertThat(granted).as("it goes first again").containsExactly("a", "a");
    }

    @Test
    void whatIsNotUsedIsGrantedToTheNext() {
        limit(0, 1);
        One idle = one("idle").waits(1);
        idle.mayStart = false;
        One b = one("b").waits(1);
        One c = one("c").waits(1);
        limit(1, 2);
        assertThat(granted).containsExactly("idle", "b");
        b.waiter.release(3);
        assertThat(granted).containsExactly("idle", "b", "c");
        c.waiter.leave(4);

        assertThat(one("x").full(4)).isNull();
    }

    @Test
    void aTaskWithManyWaitersGetsNoMorePlacesThanATaskWithOne() {
        limit(0, 1);
        for (String name : List.of("a1", "a2", "a3", "b1", "c1", "b2", "c2")) {
            ofTask(name.substring(0, 1), name).waits(1);
        }
        limit(100, 2);

        assertThat(granted).containsExactly("a1", "b1", "c1", "a2", "b2", "c2", "a3");
    }

    @Test
    void theHighestRankIsLookedForAmongTasksAndNotAmongAllThatTheyWaitWith() {
        limit(0, 1);
        for (int i = 0; i < 1_000; i++) {
            strict("n" + i, i % 3).waits(1);
        }
        limit(200, 2);

        assertThat(granted).hasSize(200);
        assertThat(compared).isEqualTo(2 * 200);
    }

    @Test
    void inAStrictPoolThePlacesGoToTheHighestRanksAndNoneIsTakenBefore() {
        limit(0, 1);
        for (String name : List.of("s1", "s4", "s2", "s3")) {
            strict(name, null).waits(1);
        }
        limit(2, 2);
        assertThat(granted).containsExactly("s4", "s3");

        assertThat(strict("x", null).full(2)).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWaitsNoMoreIsNotKeptInMemory(boolean takesTurns) {
        limit(0, 1);
        new One("stays", "task", "cpu", takesTurns, "two").waits(1);
        for (int i = 0; i < 1_000; i++) {
            One goes = new One("goes", "task", "cpu", takesTurns, "two").waits(1);
            goes.waiter.leave(1);
            assertThat(groups.get("two").waiters()).isOne();
        }
        limit(2, 2);

        assertThat(granted).containsExactly("stays");
        assertThat(groups.get("two").hasWaiting()).isFalse();
    }

    @Test
    void poolsOfWhichNothingWaitsAreForgottenOnceThereAreMany() {
        limit(0, 1);
        for (int i = 0; i < 1_000; i++) {
            new One("goes", null, "pool" + i, true, "two").waits(1).waiter.leave(1);
        }
        assertThat(groups.get("two").queue().pools()).isBetween(1, GroupQueue.MOST_IDLE_POOLS);
    }

    @Test
    void whatHadAGrantInVainGoesFirstOnceAndAGroupReservesItsPlaceMeanwhile() {
        limit(1, 1);
        groups.command("wide", GroupLimit.inFlight(2), 1, 1);
        groups.get("wide").held();
        groups.started(of("two"), 1);
        groups.started(of("wide", "other"), 1);
        groups.started(of("wide", "other"), 1);
        One both = new One("both", null, "cpu", true, "two", "wide").waits(1);
        One other = new One("other", null, "cpu", true, "wide").waits(1);
        assertThat(both.waiter.waitsIn().key()).as("the smaller one").isEqualTo("two");
        groups.ended(of("two"), 2);
        // Its grant is in vain: the wide one is full, and others wait there before it.
        both.waits(2);
        assertThat(one("x").full(2)).isNull();
        groups.started(of("two"), "cpu", 2);
        groups.ended(of("wide"), 3);
        other.starts(3);
        groups.ended(of("wide"), 4);
        // Now the smaller one is full.
        both.waits(4);
        groups.started(of("wide"), "cpu", 4);
        One last = one("last").waits(4);
        groups.ended(of("two"), 5);
        assertThat(granted).containsExactly("both", "other", "both", "both");
        both.waits(5);

        assertThat(groups.get("two").isReservedFor(both.waiter)).isTrue();
        assertThat(last.full(5).key()).isEqualTo("two");
        assertThat(groups.nextDeadlineMillis()).isEqualTo(1_005);
        groups.tick(1_005);
        assertThat(granted).endsWith("last");
        assertThat(groups.get("two").isReserved()).isFalse();
    }

    @Test
    void aWindowOpensByItselfWhenItsOldestStartHasLeftIt() {
        groups.get("rate").held();
        groups.started(of("rate"), 0);
        groups.started(of("rate"), 10);
        assertThat(groups.get("rate").free(10)).isZero();
        assertThat(groups.nextDeadlineMillis()).isEqualTo(Long.MAX_VALUE);
        One a = new One("a", null, "cpu", true, "rate").waits(10);
        new One("b", null, "cpu", true, "rate").waits(10);
        assertThat(groups.nextDeadlineMillis()).isEqualTo(100);
        groups.tick(99);
        assertThat(granted).isEmpty();
        groups.tick(100);
        assertThat(granted).containsExactly("a");
        a.starts(100);
        assertThat(groups.nextDeadlineMillis()).isEqualTo(110);
        groups.tick(110);

        assertThat(granted).containsExactly("a", "b");
    }

    @Test
    void aLimitThatIsGivenGrantsAtOnceAndAnOlderOneIsRefused() {
        groups.started(of("two"), 0);
        groups.started(of("two"), 0);
        one("a").waits(0);
        one("b").waits(0);
        assertThat(groups.command("two", GroupLimit.inFlight(4), 5, 1)).isTrue();
        assertThat(granted).containsExactly("a", "b");
        assertThat(groups.command("two", GroupLimit.inFlight(1), 4, 2)).isFalse();
        assertThat(groups.get("two").free(2)).isEqualTo(2);
        assertThat(groups.command("two", GroupLimit.inFlight(1), 5, 2)).isTrue();

        assertThat(groups.get("two").free(2)).isZero();
    }

    private Map<String, GroupRecord> drained() {
        Map<String, GroupRecord> records = new java.util.HashMap<>();
        groups.drainChanged(records::put);
        return records;
    }

    @Test
    void whatMustBeRememberedIsToldOnceAndWhatMustNotIsRemoved() {
        groups.started(of("two", "rate"), 7);
        assertThat(drained()).containsOnlyKeys("rate");
        assertThat(drained()).isEmpty();
        groups.command("two", GroupLimit.inFlight(9), 1, 8);
        assertThat(drained().get("two").limit()).isEqualTo(GroupLimit.inFlight(9));
        groups.ended(of("rate"), 9);
        assertThat(groups.nextDeadlineMillis()).isEqualTo(107);
        groups.tick(107);

        assertThat(drained()).containsEntry("rate", null);
        assertThat(groups.all()).extracting(Group::key).containsExactly("two");
        assertThat(groups.size()).isEqualTo(1);
    }

    @Test
    void aGroupInUseIsNotForgotten() {
        groups.get("plain").held();
        groups.started(of("plain"), 0);
        groups.ended(of("plain"), 1);
        assertThat(groups.size()).isEqualTo(1);
        groups.started(of("plain"), 2);
        groups.dropped(of("plain"), 3);
        assertThat(groups.size()).isEqualTo(1);
        groups.ended(of("plain"), 4);

        assertThat(groups.size()).isZero();
    }

    @Test
    void anEndWithoutABeginningIsAnError() {
        assertThatThrownBy(() -> groups.ended(of("two"), 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void manyStartsShareAnEntryAndTheCountIsNeverTooSmall() {
        int most = 1_000;
        long window = 6_400;
        StartWindow starts = new StartWindow(new long[0]);
        List<Long> exact = new ArrayList<>();
        for (long now = 0; now < 20_000; now += 9) {
            starts.started(now, most, window);
            exact.add(now);
            long at = now;
            long inWindow = exact.stream().filter(start -> start > at - window).count();
            assertThat(starts.count(now, window)).isBetween(inWindow, inWindow + 2 * most / 64);
            assertThat(starts.toArray().length).isLessThanOrEqualTo(3 * 70);
        }
        StartWindow restored = new StartWindow(starts.toArray());

        assertThat(restored.count(20_000, window)).isEqualTo(starts.count(20_000, window));
        assertThat(starts.emptyAt(window)).isEqualTo(exact.get(exact.size() - 1) + window);
        assertThat(starts.count(starts.emptyAt(window), window)).isZero();
    }

    @Test
    void fewStartsAreCountedExactly() {
        StartWindow starts = new StartWindow(new long[0]);
        for (int i = 0; i < 64; i++) {
            starts.started(i, 64, 1_000_000);
        }
        assertThat(starts.toArray()).hasSize(3 * 64);

        assertThat(starts.count(1_000_010, 1_000_000)).isEqualTo(53);
    }

    /** Jobs that are tried again come back to their groups without asking for room. */
    @Test
    void whatAddsNoGroupHasRoomAlsoWhereThereAreMoreThanMay() {
        Groups few = new Groups(new LimitOptions(List.of(), Map.of()).withMaxGroups(1));
        few.held(few.resolve(List.of("a")));
        few.held(few.resolve(List.of("b")));

        assertThat(few.hasRoomFor(0)).isTrue();
        assertThat(few.hasRoomFor(1)).isFalse();
    }
}
