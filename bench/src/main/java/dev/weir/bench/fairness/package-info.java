/** {@code ./weir bench fairness}: who is served how often and when, by policy, decided by the production core. */
package dev.weir.bench.fairness;
