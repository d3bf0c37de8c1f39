package dev.weir.engine.interleave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IwrrTest {

    /** A member with a name. */
    static final class Named extends Member {
        final String name;
        long left = Long.MAX_VALUE;

        Named(String name, long arrival, int weight) {
            this.name = name;
            this.arrival = arrival;
            weigh(weight, weight);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final Iwrr iwrr = new Iwrr();

    private String next(int count) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < count; i++) {
            Named named = (Named) iwrr.next();
            names.append(named == null ? "-" : named.name);
        }
        return names.toString();
    }

    @Test
    void inRoundRTheMembersWithWeightAtLeastRGiveOneJobEachInOrderOfArrival() {
        iwrr.add(new Named("c", 3, 2));
        iwrr.add(new Named("a", 1, 3));
        iwrr.add(new Named("b", 2, 1));

        assertThat(next(12)).isEqualTo("abc" + "ac" + "a" + "abc" + "ac" + "a");
    }

    @Test
    void membersThatComeAndGoBetweenChoicesAreNotKept() {
        Wrr wrr = new Wrr();
        wrr.add(new Named("w", 0, 1));
        Named back = new Named("b", 2, 1);
        iwrr.add(new Named("a", 1, 1));
        for (int i = 0; i < 20_000; i++) {
            for (Interleave policy : List.of(iwrr, wrr)) {
                Named goes = new Named("x", 10 + i, 1);
                policy.add(goes);
                policy.remove(goes);
            }
            iwrr.add(back);
            iwrr.remove(back);
            assertThat(iwrr.size()).isLessThan(100);
            assertThat(wrr.size()).isLessThan(100);
        }
        iwrr.add(back);
        iwrr.add(new Named("c", 3, 2));

        assertThat(next(8)).isEqualTo("abc" + "c" + "abc" + "c");
        assertThat(wrr.next()).hasToString("w");
    }

    @Test
    void withoutMembersThereIsNoChoice() {
        Named a = new Named("a", 1, 3);
        assertThat(next(1)).isEqualTo("-");
        iwrr.add(a);
        assertThat(next(2)).isEqualTo("aa");
        iwrr.remove(a);

        assertThat(next(2)).isEqualTo("--");
    }

    @Test
    void aNewMemberJoinsAtTheNextRoundBoundary() {
        iwrr.add(new Named("b", 2, 3));
        iwrr.add(new Named("c", 3, 3));
        assertThat(next(1)).isEqualTo("b");
        iwrr.add(new Named("a", 1, 3));

        assertThat(next(8)).isEqualTo("c" + "abc" + "abc" + "a");
    }

    @Test
    void aLightMemberThatIsNewWaitsForTheNextCycle() {
        iwrr.add(new Named("b", 2, 3));
        assertThat(next(1)).isEqualTo("b");
        iwrr.add(new Named("a", 1, 1));

        assertThat(next(4)).isEqualTo("bb" + "ab");
    }

    @Test
    void aMemberThatLeavesAndComesBackWithinARoundGivesAtMostOneJobInIt() {
        Named a = new Named("a", 1, 9);
        Named b = new Named("b", 2, 9);
        iwrr.add(a);
        iwrr.add(b);
        assertThat(next(1)).isEqualTo("a");
        iwrr.remove(a);
        iwrr.remove(b);
        iwrr.add(a);
        iwrr.add(b);

        assertThat(next(2)).isEqualTo("ab");
    }

    @Test
    void aHeavierWeightCountsFromTheNextRound() {
        Named a = new Named("a", 1, 1);
        iwrr.add(a);
        iwrr.add(new Named("b", 2, 2));
        assertThat(next(1)).isEqualTo("a");
        a.weigh(2, 2);
        iwrr.changed(a);

        assertThat(next(5)).isEqualTo("b" + "ab" + "ab");
    }

    @Test
    void aLighterWeightCountsFromTheNextRound() {
        Named b = new Named("b", 2, 3);
        iwrr.add(new Named("a", 1, 3));
        iwrr.add(b);
        assertThat(next(3)).isEqualTo("ab" + "a");
        b.weigh(1, 1);
        iwrr.changed(b);

        // It has its turn in the round that has begun, and none in the third.
        assertThat(next(4)).isEqualTo("b" + "a" + "ab");
    }

    @Test
    void aMemberThatCameBackInTheRoundOfItsWeightGivesNothingInTheNextOne() {
        Named b = new Named("b", 2, 1);
        iwrr.add(new Named("a", 1, 3));
        iwrr.add(b);
        assertThat(next(1)).isEqualTo("a");
        iwrr.remove(b);
        iwrr.add(b);
        assertThat(next(1)).isEqualTo("a");
        iwrr.changed(b);

        assertThat(next(3)).isEqualTo("a" + "ab");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void membersThatCanAlwaysGiveGetExactlyTheirWeightInEveryCycle(long seed) {
        Random random = new Random(seed);
        List<Named> members = new ArrayList<>();
        long cycle = 0;
        for (int i = 0; i < 200; i++) {
            Named member = new Named("m" + i, i, 1 + random.nextInt(100));
            members.add(member);
            cycle += member.weight();
            iwrr.add(member);
        }
        for (int round = 0; round < 5; round++) {
            Map<Member, Integer> given = new HashMap<>();
            for (long i = 0; i < cycle; i++) {
                given.merge(iwrr.next(), 1, Integer::sum);
            }
            members.forEach(member -> assertThat(given.get(member)).isEqualTo(member.weight()));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void itDoesWhatASlowModelWrittenFromTheProseDoesWhateverComesAndGoes(long seed) {
        Random random = new Random(seed);
        SlowIwrr model = new SlowIwrr();
        List<Named> members = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            int what = random.nextInt(20);
            if (what == 0 || members.isEmpty()) {
                Named member = new Named("m" + step, step, 1 + random.nextInt(12));
                members.add(member);
                iwrr.add(member);
                model.add(member);
            } else if (what < 3) {
                Named member = members.get(random.nextInt(members.size()));
                iwrr.add(member);
                model.add(member);
            } else if (what < 5) {
                Named member = members.get(random.nextInt(members.size()));
                iwrr.remove(member);
                model.remove(member);
            } else if (what == 5) {
                Named member = members.get(random.nextInt(members.size()));
                int weight = 1 + random.nextInt(12);
                member.weigh(weight, weight);
                iwrr.changed(member);
            } else {
                assertThat(iwrr.next()).as("step %d", step).isEqualTo(model.next());
            }
        }
    }

    /** The prose, word for word, without a thought for speed. */
    private static final class SlowIwrr {
        private final List<Named> ready = new ArrayList<>();
        private final List<Named> left = new ArrayList<>();
        private int round;

        void add(Named member) {
            if (!ready.contains(member)) {
                ready.add(member);
            }
        }

        void remove(Named member) {
            ready.remove(member);
            left.remove(member);
        }

        Named next() {
            while (true) {
                if (!left.isEmpty()) {
                    return left.remove(0);
                }
                if (ready.isEmpty()) {
                    round = 0;
                    return null;
                }
                round++;
                if (!fill()) {
                    round = 1;
                    fill();
                }
            }
        }

        private boolean fill() {
            ready.stream()
                    .filter(member -> member.weight() >= round)
                    .sorted(java.util.Comparator.comparingLong(Member::arrival))
                    .forEach(left::add);
            return !left.isEmpty();
        }
    }
}
