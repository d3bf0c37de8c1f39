package dev.weir.engine.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.interleave.IwrrTest.Named;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherPoliciesTest {

    private static String next(Interleave policy, int count) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < count; i++) {
            names.append(policy.next());
        }
        return names.toString();
    }

    @Test
    void wrrGivesAllOfAWeightInARow() {
        Interleave wrr = Interleave.named("wrr");
        wrr.add(new Named("a", 1, 3));
        wrr.add(new Named("b", 2, 1));

        assertThat(next(wrr, 8)).isEqualTo("aaabaaab");
    }

    @Test
    void strictServesTheHighestRankAloneAndThenTheEarliest() {
        Interleave strict = Interleave.named("strict");
        Named low = new Named("a", 1, 1);
        Named high = new Named("b", 2, 5);
        Named later = new Named("c", 3, 5);
        strict.add(low);
        strict.add(later);
        strict.add(high);
        assertThat(next(strict, 3)).isEqualTo("bbb");
        strict.remove(high);
        assertThat(next(strict, 2)).isEqualTo("cc");
        low.weigh(9, 9);
        strict.changed(low);

        assertThat(next(strict, 2)).isEqualTo("aa");
    }

    @ParameterizedTest
    @ValueSource(strings = {"iwrr", "wrr", "wfq"})
    void everyFairPolicyGivesSharesByWeight(String name) {
        Interleave policy = Interleave.named(name);
        for (int weight = 1; weight <= 10; weight++) {
            policy.add(new Named("m" + weight, weight, weight));
        }
        Map<Member, Integer> given = new HashMap<>();
        for (int i = 0; i < 55 * 20; i++) {
            given.merge(policy.next(), 1, Integer::sum);
        }
        given.forEach(
                (member, count) -> assertThat(count).isBetween(member.weight() * 20 - 1, member.weight() * 20 + 1));
    }

    @Test
    void wfqNeverLetsAMemberFallBehindItsShareByMoreThanAJob() {
        Interleave wfq = Interleave.named("wfq");
        Named[] members = {new Named("a", 1, 1), new Named("b", 2, 3), new Named("c", 3, 6)};
        for (Named member : members) {
            wfq.add(member);
        }
        Map<Member, Integer> given = new HashMap<>();
        for (int i = 1; i <= 1000; i++) {
            given.merge(wfq.next(), 1, Integer::sum);
            for (Named member : members) {
                assertThat(given.getOrDefault(member, 0)).isGreaterThanOrEqualTo(i * member.weight() / 10 - 1);
            }
        }
    }

    @Test
    void anUnknownPolicyIsNamedInTheErrorBesideTheKnownOnes() {
        assertThatThrownBy(() -> Interleave.named("fifo"))
                .hasMessageContaining("fifo")
                .hasMessageContaining("iwrr, strict, wfq, wrr");
    }

    @Test
    void eachCallMakesAPolicyOfItsOwn() {
        assertThat(Interleave.named("iwrr")).isNotSameAs(Interleave.named("iwrr"));
    }
}
