/** {@code ./weir bench fairness}: how often and when each policy serves a task, as decided by the production core. */
package dev.weir.bench.fairness;
