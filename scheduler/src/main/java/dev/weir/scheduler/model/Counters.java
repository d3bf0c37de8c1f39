package dev.weir.scheduler.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts since this scheduler began. Not part of the state: a failed event may have counted. */
public final class Counters {

    private static final int MOST_PROBLEMS = 1_000;

    public long reportsIn;
    public long adopted;
    public long rejected;
    /** Of a row of the mirror; also when the clock goes back, the next one is newer. */
    public long newestVersion;

    public final Map<String, Long> retries = new TreeMap<>();
    public final Map<String, Long> stale = new TreeMap<>();
    public final Map<String, Long> ignored = new TreeMap<>();

    /** What went wrong inside, for the log; emptied by the caller. */
    public final List<String> problems = new ArrayList<>();

    public void problem(String kind, String sentence) {
        ignored(kind);
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(sentence);
        }
    }

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
