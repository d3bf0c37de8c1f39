package dev.weir.scheduler.options;

import java.time.Duration;

/**
 * How a task's rank evolves: {@code rank' = α·x + β·y + γ·rank + (1−γ)·base}.
 *
 * @param ranker the rule for tasks that name none: {@code linear-ageing} (default) or {@code fixed}, or one found by ServiceLoader
 * @param alpha weight of x, the time since the task's last released job over horizon, 0 to 1; 1
 * @param beta weight of y, the share of retries in the chunk, 0 to 1; 0: retries do not change the rank
 * @param gamma how much of the present rank is kept, 0 to 1; 0.5. 1 is the seed's formula, which grows without bound
 * @param horizon after this long without a released job x is 1; 10 min
 */
public record RankOptions(String ranker, double alpha, double beta, double gamma, Duration horizon) {

    public static final String LINEAR_AGEING = "linear-ageing";
    public static final String FIXED = "fixed";

    public RankOptions {
        Range.check("alpha", alpha, 0, 1000);
        Range.check("beta", beta, -1000, 1000);
        Range.check("gamma", gamma, 0, 1);
        Range.check("horizon", horizon, Duration.ofMillis(1), Duration.ofDays(365));
    }

    public static RankOptions defaults() {
        return new RankOptions(LINEAR_AGEING, 1, 0, 0.5, Duration.ofMinutes(10));
    }
}
