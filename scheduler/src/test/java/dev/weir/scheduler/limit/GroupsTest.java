package dev.weir.scheduler.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.LimitOptions;
import dev.weir.scheduler.state.GroupRecord;
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
    private final List<String> woken = new ArrayList<>();
    private int compared;

    /** One who waits, and uses what it is woken for or not. */
    private final class One extends Waiting {
        private final String name;
        private final boolean uses;
        private final boolean takesTurns;
        private final Object owner;
        private boolean waits = true;

        One(String name, String pool, boolean uses, boolean takesTurns) {
            this(name, null, pool, uses, takesTurns);
        }

        One(String name, Object owner, String pool, boolean uses, boolean takesTurns) {
            super(pool);
            this.name = name;
            this.owner = owner == null ? this : owner;
            this.uses = uses;
            this.takesTurns = takesTurns;
        }

        @Override
        public Object owner() {
            return owner;
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
        public boolean goesBefore(Group.Waiter other) {
            compared++;
            return name.compareTo(((One) other).name) > 0;
        }

        @Override
        public boolean wake(Group group) {
            waits = false;
            woken.add(name);
            return uses;
        }
    }

    private One one(String name) {
        return new One(name, "cpu", true, true);
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
    void aTimerOfAGroupThatIsForgottenTouchesNoOtherOfThatName() {
        groups.restore("two", new GroupRecord(null, 0, new long[0]));
        Group old = groups.get("two");
        old.held();
        One keeper = one("keeper");
        old.kept().begin(keeper, 0, 0, 1_000);
        groups.park(old, one("a"), false, 0);
        Groups.left(old, one("a"), false);
        groups.giveBack(old, 1);
        groups.dropped(of("two"), 1);
        groups.drainChanged((key, record) -> assertThat(record).isNull());
        assertThat(groups.areLimited()).isFalse();
        groups.command("two", GroupLimit.inFlight(7), 2, 2);
        groups.drainChanged((key, record) -> assertThat(record.limit()).isEqualTo(GroupLimit.inFlight(7)));
        groups.tick(1_000);
        List<String> changed = new ArrayList<>();
        groups.drainChanged((key, record) -> changed.add(key));

        assertThat(changed).isEmpty();
        assertThat(groups.areLimited()).isTrue();
    }

    @Test
    void asManyAreWokenAsMayStartInTheOrderInWhichTheyCame() {
        groups.started(of("two"), 0);
        groups.started(of("two"), 0);
        assertThat(groups.blocking(of("free", "two"), one("x"), null, 0).key()).isEqualTo("two");
        for (String name : List.of("a", "b", "c")) {
            groups.park(groups.get("two"), one(name), false, 0);
        }
        groups.ended(of("two"), 1);
        assertThat(woken).containsExactly("a");
        groups.started(of("two"), 1);
        Groups.turnUsed(groups.get("two"), one("a"));
        groups.park(groups.get("two"), one("first"), true, 1);
        groups.ended(of("two"), 2);

        assertThat(woken).containsExactly("a", "first");
    }

    @Test
    void thePlaceOfOneThatWasWokenIsNotForOthersOfItsPool() {
        groups.started(of("two"), 0);
        groups.started(of("two"), 0);
        Group two = groups.get("two");
        two.held();
        groups.park(two, one("a"), false, 0);
        groups.park(two, one("b"), false, 0);
        groups.ended(of("two"), 1);

        assertThat(woken).containsExactly("a");
        assertThat(groups.blocking(of("two"), one("x"), null, 1)).isSameAs(two);
        assertThat(groups.blocking(of("two"), new One("x", "gpu", true, true), null, 1))
                .isNull();
        assertThat(groups.blocking(of("two"), null, null, 1)).isNull();

        groups.ended(of("two"), 2);
        assertThat(woken).containsExactly("a", "b");
        assertThat(groups.blocking(of("two"), one("x"), null, 2)).isSameAs(two);
        Groups.turnUsed(two, one("a"));
        assertThat(groups.blocking(of("two"), one("x"), null, 2)).isNull();
    }

    @Test
    void whoHasNoUseForItPassesItOn() {
        groups.started(of("two"), 0);
        groups.started(of("two"), 0);
        groups.park(groups.get("two"), new One("idle", "cpu", false, true), false, 0);
        groups.park(groups.get("two"), one("b"), false, 0);
        groups.park(groups.get("two"), one("c"), false, 0);
        groups.ended(of("two"), 1);
        assertThat(woken).containsExactly("idle", "b");
        groups.passOn(groups.get("two"), one("b"), 1);
        assertThat(woken).containsExactly("idle", "b", "c");
        groups.started(of("two"), 1);
        groups.park(groups.get("two"), one("d"), false, 1);
        groups.passOn(groups.get("two"), one("b"), 1);

        assertThat(woken).containsExactly("idle", "b", "c");
    }

    private One ownedBy(Object owner, String name) {
        return new One(name, owner, "cpu", true, true);
    }

    @Test
    void oneWhoWaitsWithManyGetsNoMorePlacesThanOneWhoWaitsWithOne() {
        groups.command("two", GroupLimit.inFlight(0), 1, 1);
        for (String name : List.of("a1", "a2", "a3", "b1", "c1", "b2", "c2")) {
            groups.park(groups.get("two"), ownedBy(name.substring(0, 1), name), false, 1);
        }
        groups.command("two", GroupLimit.inFlight(100), 2, 2);

        assertThat(woken).containsExactly("a1", "b1", "c1", "a2", "b2", "c2", "a3");
    }

    @Test
    void whoseTurnHasLapsedIsWokenAgainOnlyForAnotherPlaceAndAfterAllOthers() {
        Group two = groups.get("two");
        groups.command("two", GroupLimit.inFlight(0), 1, 1);
        One a1 = ownedBy("a", "a1");
        groups.park(two, a1, false, 1);
        for (String name : List.of("a2", "a3", "a4", "b1")) {
            groups.park(two, ownedBy(name.substring(0, 1), name), false, 1);
        }
        groups.command("two", GroupLimit.inFlight(1), 2, 2);
        groups.lapse(two, a1, 3);
        assertThat(woken).containsExactly("a1", "b1");
        groups.lapse(two, ownedBy("b", "b1"), 4);
        // Nobody else waits, and who looks for a place now finds it.
        assertThat(woken).containsExactly("a1", "b1");
        assertThat(groups.blocking(of("two"), one("x"), null, 4)).isNull();
        assertThat(two.hasWaiting()).isTrue();

        groups.command("two", GroupLimit.inFlight(2), 5, 5);
        assertThat(woken).containsExactly("a1", "b1", "a2", "a3");
        groups.lapseEnded(two, a1, 6);
        assertThat(woken).hasSize(4);
        groups.started(of("two"), 7);
        Groups.turnUsed(two, ownedBy("a", "a2"));
        groups.passOn(two, ownedBy("a", "a3"), 7);

        assertThat(woken).containsExactly("a1", "b1", "a2", "a3", "a4");
    }

    @Test
    void whoGoesFirstIsLookedForAmongThoseWhoWaitAndNotAmongAllThatTheyWaitWith() {
        groups.command("two", GroupLimit.inFlight(0), 1, 1);
        for (int i = 0; i < 1_000; i++) {
            groups.park(groups.get("two"), new One("n" + i, i % 3, "cpu", true, false), false, 1);
        }
        groups.command("two", GroupLimit.inFlight(200), 2, 2);

        assertThat(woken).hasSize(200);
        assertThat(compared).isEqualTo(2 * 200);
    }

    @Test
    void eachPoolHasItsTurnsAndOfAPoolThatTakesNoneTheOneIsWokenThatGoesFirst() {
        groups.get("two").held();
        groups.started(of("two"), 0);
        groups.started(of("two"), 0);
        groups.park(groups.get("two"), new One("g", "gpu", true, true), false, 0);
        groups.park(groups.get("two"), one("a"), false, 0);
        for (String name : List.of("s1", "s4", "s2", "s3")) {
            groups.park(groups.get("two"), new One(name, "strict", true, false), false, 0);
        }
        groups.ended(of("two"), 1);
        assertThat(woken).containsExactlyInAnyOrder("g", "a", "s4");

        // Whoever was woken and has not started yet keeps nobody waiting: he may go after all others.
        groups.ended(of("two"), 2);
        assertThat(woken).containsExactlyInAnyOrder("g", "a", "s4", "s3");
        assertThat(groups.blocking(of("two"), null, null, 2)).isNull();
        groups.passOn(groups.get("two"), new One("s4", "strict", true, false), 3);
        assertThat(woken).endsWith("s2");
    }

    @Test
    void ofAPoolThatTakesNoTurnsAsManyAreWokenAsAHigherLimitLetsStart() {
        groups.command("two", GroupLimit.inFlight(0), 1, 1);
        for (String name : List.of("s1", "s4", "s2", "s3")) {
            groups.park(groups.get("two"), new One(name, "strict", true, false), false, 1);
        }
        groups.command("two", GroupLimit.inFlight(3), 2, 2);

        assertThat(woken).containsExactly("s4", "s3", "s2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoWaitsNoMoreIsNotKept(boolean takesTurns) {
        groups.command("two", GroupLimit.inFlight(0), 1, 1);
        Group two = groups.get("two");
        One stays = new One("stays", "cpu", true, takesTurns);
        groups.park(two, stays, false, 1);
        for (int i = 0; i < 1_000; i++) {
            One goes = new One("goes", "cpu", true, takesTurns);
            groups.park(two, goes, false, 1);
            goes.waits = false;
            Groups.left(two, goes, false);
            assertThat(two.waiters()).isLessThanOrEqualTo(3);
        }
        groups.command("two", GroupLimit.inFlight(2), 2, 2);

        assertThat(woken).containsExactly("stays");
        assertThat(two.hasWaiting()).isFalse();
    }

    @Test
    void aWindowOpensByItselfWhenItsOldestStartHasLeftIt() {
        groups.get("rate").held();
        groups.started(of("rate"), 0);
        groups.started(of("rate"), 10);
        assertThat(groups.get("rate").free(10)).isZero();
        assertThat(groups.nextDeadlineMillis()).isEqualTo(Long.MAX_VALUE);
        groups.park(groups.get("rate"), one("a"), false, 10);
        groups.park(groups.get("rate"), one("b"), false, 10);
        assertThat(groups.nextDeadlineMillis()).isEqualTo(100);
        groups.tick(99);
        assertThat(woken).isEmpty();
        groups.tick(100);
        assertThat(woken).containsExactly("a");
        groups.started(of("rate"), 100);
        Groups.turnUsed(groups.get("rate"), one("a"));
        assertThat(groups.nextDeadlineMillis()).isEqualTo(110);
        groups.tick(110);

        assertThat(woken).containsExactly("a", "b");
    }

    @Test
    void aLimitThatIsGivenWakesWhoMayStartNowAndAnOlderOneIsRefused() {
        groups.started(of("two"), 0);
        groups.started(of("two"), 0);
        groups.park(groups.get("two"), one("a"), false, 0);
        groups.park(groups.get("two"), one("b"), false, 0);
        assertThat(groups.command("two", GroupLimit.inFlight(4), 5, 1)).isTrue();
        assertThat(woken).containsExactly("a", "b");
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
}
