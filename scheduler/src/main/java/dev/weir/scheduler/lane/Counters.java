package dev.weir.scheduler.lane;

import java.util.Map;
import java.util.TreeMap;

/** Counts since this scheduler began. Not part of the state: a failed event may have counted. */
public final class Counters {

    long reportsIn;
    long adopted;
    long rejected;
    final Map<String, Long> retries = new TreeMap<>();
    final Map<String, Long> stale = new TreeMap<>();
    final Map<String, Long> ignored = new TreeMap<>();

    void retry(String errorClass) {
        retries.merge(errorClass, 1L, Long::sum);
    }

    void stale(String reason) {
        stale.merge(reason, 1L, Long::sum);
    }

    void ignored(String kind) {
        ignored.merge(kind, 1L, Long::sum);
    }
}
