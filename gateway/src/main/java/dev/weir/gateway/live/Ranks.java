package dev.weir.gateway.live;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which ranks tasks had when, since this began: for six hours, of the thousand tasks whose rank was seen last to change, each with its newest 500 changes.
 * Safe for use from many threads.
 */
final class Ranks {

    private static final int MOST_TASKS = 1000;
    private static final int MOST_CHANGES = 500;
    private static final long KEPT_MILLIS = (long) Series.KEPT_STEPS * Series.STEP_SECONDS * 1000;

    private final Map<String, Deque<TaskHistory.RankAt>> tasks = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<TaskHistory.RankAt>> eldest) {
            return size() > MOST_TASKS;
        }
    };

    synchronized void see(String task, double rank, long nowMillis) {
        Deque<TaskHistory.RankAt> before = tasks.get(task);
        if (before != null && before.getLast().rank() == rank) {
            return;
        }
        Deque<TaskHistory.RankAt> all = before == null ? new ArrayDeque<>() : before;
        all.add(new TaskHistory.RankAt(Instant.ofEpochMilli(nowMillis), rank));
        // The rank that held when the kept time began stays.
        while (all.size() > MOST_CHANGES || all.size() > 1 && second(all) < nowMillis - KEPT_MILLIS) {
            all.removeFirst();
        }
        tasks.put(task, all);
    }

    private static long second(Deque<TaskHistory.RankAt> all) {
        return all.stream().skip(1).findFirst().orElseThrow().at().toEpochMilli();
    }

    synchronized List<TaskHistory.RankAt> of(String task) {
        return List.copyOf(tasks.getOrDefault(task, new ArrayDeque<>()));
    }
}
