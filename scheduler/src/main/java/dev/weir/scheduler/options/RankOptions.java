package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import dev.weir.protocol.FileInfo;
import java.time.Duration;

/**
 * How a task's rank evolves: {@code rank' = α·x + β·y + γ·rank + (1−γ)·base}.
 *
 * @param ranker the ranker of tasks that name none: {@code linear-ageing} (default) or {@code fixed}, or one found by ServiceLoader
 * @param alpha weight of x, the time since the task's last released job over horizon, 0 to 1; 1
 * @param beta weight of y, the share of retries in the chunk, 0 to 1; 0: retries do not change the rank
 * @param gamma share of the present rank that is kept, 0 to 1; 0.5. With 1 the formula is that of SPD On-Line Filter, which grows without bound
 * @param horizon after this long without a released job x is 1; 10 min
 * @param demoteTo the priority of a file after it has waited for the {@code demote_after_s} of its task, 1 to 1,000,000; 5, as in the Whois
 *     cache. It does not affect the ranks of tasks
 */
public record RankOptions(String ranker, double alpha, double beta, double gamma, Duration horizon, int demoteTo) {

    public static final String LINEAR_AGEING = "linear-ageing";
    public static final String FIXED = "fixed";

    public RankOptions {
        Range.check("alpha", alpha, 0, 1000);
        Range.check("beta", beta, -1000, 1000);
        Range.check("gamma", gamma, 0, 1);
        Range.check("horizon", horizon, Duration.ofMillis(1), Duration.ofDays(365));
        Range.check("demote-to", demoteTo, 1, FileInfo.MAX_PRIORITY);
    }

    public static RankOptions defaults() {
        return new RankOptions(LINEAR_AGEING, 1, 0, 0.5, Duration.ofMinutes(10), 5);
    }

    public RankOptions withRanker(String value) {
        return new RankOptions(value, alpha, beta, gamma, horizon, demoteTo);
    }

    public RankOptions withFormula(double newAlpha, double newBeta, double newGamma, Duration newHorizon) {
        return new RankOptions(ranker, newAlpha, newBeta, newGamma, newHorizon, demoteTo);
    }

    public RankOptions withDemoteTo(int value) {
        return new RankOptions(ranker, alpha, beta, gamma, horizon, value);
    }
}
