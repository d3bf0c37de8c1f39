package dev.weir.scheduler.options;

import dev.weir.engine.Range;

/**
 * Options of one pool.
 *
 * @param policy how tasks share it, by name: {@code iwrr} (default), {@code strict}, {@code wrr}, {@code wfq}
 * @param window most jobs in flight; 0 (default): {@code auto}, computed from the pilots and measured job times
 * @param windowMin least window, in jobs; 16 by default
 * @param windowMax greatest window under {@code auto}, in jobs; 20,000 by default
 */
public record PoolOptions(String policy, int window, int windowMin, int windowMax) {

    public static final String IWRR = "iwrr";
    public static final String STRICT = "strict";
    public static final String WRR = "wrr";
    public static final String WFQ = "wfq";

    /** A {@link #window} that follows the pilots. */
    public static final int AUTO = 0;

    public PoolOptions {
        Range.check("window", window, AUTO, 10_000_000);
        Range.check("window-min", windowMin, 1, 10_000_000);
        Range.check("window-max", windowMax, windowMin, 10_000_000);
    }

    public static PoolOptions defaults() {
        return new PoolOptions(IWRR, AUTO, 16, 20_000);
    }

    public PoolOptions withPolicy(String value) {
        return new PoolOptions(value, window, windowMin, windowMax);
    }

    /** A fixed window; also lowers the minimum where it is smaller. */
    public PoolOptions withWindow(int value) {
        return new PoolOptions(policy, value, value == AUTO ? windowMin : Math.min(windowMin, value), windowMax);
    }

    public PoolOptions withWindowBounds(int min, int max) {
        return new PoolOptions(policy, window, min, max);
    }
}
