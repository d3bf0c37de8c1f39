package dev.weir.chaos.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Compares the answers that were given with the results that workers sent: each answer is such a result, young enough when it was asked for,
 * and one worker at a time looks a key up.
 */
public final class AnswerJudge {

    /** From the worker's clock to Weir's and back. */
    private static final long SLACK = Duration.ofSeconds(1).toNanos();

    private AnswerJudge() {}

    /**
     * All violations.
     *
     * @param leases that workers had of a key, the earliest first
     */
    public static List<Violation> judge(
            List<SeenAnswer> answers, Function<String, List<SeenLease>> leases, List<Disturbance> disturbances) {
        List<Violation> found = new ArrayList<>();
        Map<String, Map<Long, SeenLease>> results = new HashMap<>();
        for (SeenAnswer answer : answers) {
            SeenLease lease = results.computeIfAbsent(answer.key(), key -> byEnd(leases.apply(key)))
                    .get(answer.resultAt());
            if (lease == null || !lease.mayHaveFinished()) {
                found.add(new Violation("answer of nobody", null, answer.key(), "no worker's result was taken"));
            } else if (answer.askedAt() - lease.repliedAt() > answer.mostAge() + SLACK
                    && !Disturbance.touches(disturbances, lease.endAt(), answer.askedAt())) {
                found.add(new Violation(
                        "old answer",
                        null,
                        answer.key(),
                        Duration.ofNanos(answer.askedAt() - lease.repliedAt()).toMillis() + " ms old"));
            }
        }
        for (String key : results.keySet()) {
            found.addAll(Overlap.judge("two lookups", key, 1, leases.apply(key), disturbances));
        }
        return found;
    }

    private static Map<Long, SeenLease> byEnd(List<SeenLease> leases) {
        Map<Long, SeenLease> byEnd = new HashMap<>();
        leases.forEach(lease -> byEnd.put(lease.endAt(), lease));
        return byEnd;
    }
}
