package dev.weir.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.chaos.judge.SeenLease.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerJudgeTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long FRESH = 4 * SECOND;

    private final List<SeenLease> leases = new ArrayList<>();
    private final List<SeenAnswer> answers = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();

    private List<String> rules() {
        return AnswerJudge.judge(answers, key -> leases, disturbances).stream()
                .map(Violation::rule)
                .toList();
    }

    private void lease(long at, long endAt, Reply reply) {
        leases.add(new SeenLease(at, endAt, endAt + 1, true, reply));
    }

    private void answer(long askedAt, long resultAt) {
        answers.add(new SeenAnswer("k", askedAt, resultAt, FRESH));
    }

    @Test
    void aResultMayBeGivenWhileItIsFresh() {
        lease(0, 10, Reply.TAKEN);
        answer(5, 10);
        answer(10 + FRESH, 10);

        assertThat(rules()).isEmpty();
    }

    @Test
    void anAnswerMustBeAResultThatWasTaken() {
        lease(0, 10, Reply.OVER);
        answer(20, 10);
        assertThat(rules()).containsExactly("answer of nobody");
        answer(20, 11);
        assertThat(rules()).containsExactly("answer of nobody", "answer of nobody");
    }

    @Test
    void anOldAnswerIsAViolationUnlessWeirWasHitMeanwhile() {
        lease(0, 10, Reply.TAKEN);
        answer(20 + FRESH + 2 * SECOND, 10);
        assertThat(rules()).containsExactly("old answer");
        disturbances.add(new Disturbance(12, 13));
        assertThat(rules()).isEmpty();
    }

    @Test
    void oneWorkerAtATimeLooksAKeyUp() {
        lease(0, 20, Reply.TAKEN);
        lease(10, 30, Reply.TAKEN);
        answer(40, 30);
        assertThat(rules()).containsExactly("two lookups");
    }

    @Test
    void aGroupHasNoMoreLeasesThanItsLimit() {
        lease(0, 20, Reply.TAKEN);
        lease(10, 30, Reply.TAKEN);
        lease(20, 40, Reply.TAKEN);
        assertThat(Overlap.judge("rule", "g", 2, leases, disturbances)).isEmpty();
        lease(25, 50, Reply.TAKEN);
        assertThat(Overlap.judge("rule", "g", 2, leases, disturbances)).hasSize(1);
    }
}
