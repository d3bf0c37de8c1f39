package dev.weir.scheduler.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.LimitOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who asked for a place to be kept and may not yet goes before those who have waited shorter. */
class CandidatesTest {

    private final Groups groups = new Groups(new LimitOptions(List.of(), Map.of()));
    private final List<Long> gaveBack = new ArrayList<>();
    private final One older = new One(groups.ticket());
    private final One younger = new One(groups.ticket());

    private final class One extends Waiting {
        private final long ticket;

        One(long ticket) {
            super("cpu");
            this.ticket = ticket;
        }

        @Override
        public long ticket() {
            return ticket;
        }

        @Override
        public void giveBack(long nowMillis) {
            gaveBack.add(ticket);
            Groups.withdraw(groups.resolve(List.of("a", "b", "c")), this);
        }
    }

    private boolean mayKeep(String group, String awaited, One one, long nowMillis) {
        return groups.mayKeep(groups.get(group), groups.get(awaited), one, nowMillis);
    }

    private boolean ask(String group, String awaited, One one, long untilMillis) {
        return Groups.ask(groups.get(group), groups.get(awaited), one, untilMillis);
    }

    @Test
    void nobodyKeepsAPlaceWhereOneAsksThatHasWaitedLonger() {
        ask("a", "b", older, 100);
        assertThat(mayKeep("a", "c", younger, 1)).isFalse();
        assertThat(mayKeep("c", "b", younger, 1)).isFalse();
        assertThat(Groups.mayAwait(groups.get("b"), younger, 1)).isFalse();
        // They are not in each other's way where one keeps what the other waits for.
        assertThat(mayKeep("b", "a", younger, 1)).isTrue();
        assertThat(mayKeep("a", "b", older, 1)).isTrue();
        Groups.withdraw(groups.resolve(List.of("a", "b")), older);

        assertThat(mayKeep("a", "b", younger, 1)).isTrue();
    }

    @Test
    void whoHasWaitedShorterIsInNobodysWay() {
        ask("a", "b", younger, 100);

        assertThat(mayKeep("a", "b", older, 1)).isTrue();
    }

    @Test
    void whoDoesNotAskAgainIsInTheWayForATime() {
        ask("a", "b", older, 100);
        assertThat(mayKeep("a", "b", younger, 99)).isFalse();
        ask("a", "b", older, 120);
        assertThat(mayKeep("a", "b", younger, 119)).isFalse();

        assertThat(mayKeep("a", "b", younger, 120)).isTrue();
    }

    @Test
    void whoeverAsksIsSentAwayWhenOneOfTheGroupsIsClosed() {
        ask("a", "b", older, 100);
        ask("a", "c", younger, 100);
        groups.command("b", GroupLimit.inFlight(0), 1, 1);
        assertThat(gaveBack).containsExactly(1L);
        assertThat(ask("a", "b", older, 100)).isFalse();
        assertThat(mayKeep("a", "c", younger, 2)).isTrue();
        groups.command("a", GroupLimit.inFlight(0), 1, 2);

        assertThat(gaveBack).containsExactly(1L, 2L);
    }
}
