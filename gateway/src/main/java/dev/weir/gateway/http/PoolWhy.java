package dev.weir.gateway.http;

import java.util.List;
import java.util.Map;

/** Why nothing more of a pool's tasks starts now, as a sentence. */
final class PoolWhy {

    private PoolWhy() {}

    /**
     * @param pool with its counts
     * @param waits reasons of tasks by pool, the most tasks first
     */
    static String text(Map<String, Object> pool, List<Map<String, Object>> waits) {
        List<Map<String, Object>> own = waits.stream()
                .filter(wait -> pool.get("name").equals(wait.get("pool"))
                        && !wait.get("why").equals("kept"))
                .toList();
        for (Map<String, Object> wait : own) {
            if (wait.get("why").equals("pool")) {
                return wait.get("text") + ", until it is resumed";
            }
        }
        long heard = Pools.pilotsHeard(pool);
        long left = Pools.jobsLeft(pool);
        if (left == 0 && own.isEmpty()) {
            return "nothing waits: no open task of the pool has files that can start";
        }
        if (heard == 0) {
            return "no pilot serves the pool, and " + left + " jobs of its tasks have not ended; start pilots for it";
        }
        if (Pools.onlyDrains(pool)) {
            return (heard == 1
                            ? "the only pilot of the pool drains, or is"
                            : "all " + heard + " pilots of the pool drain, or are")
                    + " kept out by order; include what is kept out, or start others";
        }
        long idle = Pools.number(pool, "pilots", "idle");
        if (idle == 0) {
            return (heard == 1
                            ? "the only pilot of the pool is busy"
                            : "all " + heard + " pilots of the pool are busy or drain")
                    + "; the next job starts when one is free";
        }
        if (own.isEmpty()) {
            return "nothing is in the way: " + idle + " of " + heard + " pilots are idle and take what comes";
        }
        Map<String, Object> most = own.get(0);
        long tasks = ((Number) most.get("tasks")).longValue();
        return idle + " of " + heard + " pilots are idle; "
                + (tasks == 1 ? "task " : tasks + " tasks start nothing more, for example ") + most.get("uid")
                + (tasks == 1 ? " starts nothing more: " : ": ") + most.get("text");
    }
}
