package dev.weir.pilot;

import dev.weir.protocol.Job;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Names the writer of an attempt's files. That is the pilot's id; but an attempt that may have been here before gets a mark beside
 * it, so that it cannot overwrite files that Weir has registered already.
 */
final class RecentAttempts {

    private static final int REMEMBERED = 10_000;
    private static final int MARK_CHARACTERS = 6;

    private final Map<String, Boolean> seen = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The writer for a job that was delivered now. For one thread. */
    String writer(String pilotId, Job job, boolean isRedelivered) {
        boolean known = seen.put(job.uid() + "/" + job.attempt(), Boolean.TRUE) != null;
        if (!known && !isRedelivered) {
            return pilotId;
        }
        return pilotId + "-r" + UUID.randomUUID().toString().substring(0, MARK_CHARACTERS);
    }
}
