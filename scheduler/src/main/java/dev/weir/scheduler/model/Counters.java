package dev.weir.scheduler.model;

import java.util.Map;
import java.util.TreeMap;

/** Counts since this scheduler began. Not part of the state: a failed event may have counted. */
public final class Counters {

    public long reportsIn;
    public long adopted;
    public long rejected;
    public final Map<String, Long> retries = new TreeMap<>();
    public final Map<String, Long> stale = new TreeMap<>();
    public final Map<String, Long> ignored = new TreeMap<>();

    public void retry(String errorClass) {
        retries.merge(errorClass, 1L, Long::sum);
    }

    public void stale(String reason) {
        stale.merge(reason, 1L, Long::sum);
    }

    public void ignored(String kind) {
        ignored.merge(kind, 1L, Long::sum);
    }
}
