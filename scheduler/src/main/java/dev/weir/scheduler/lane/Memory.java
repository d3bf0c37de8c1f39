package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.LaneRecord;
import dev.weir.scheduler.state.Tables;

/**
 * What must be recognised when it comes again: ids of commands, uids of closed tasks and datasets, and when the newest command about a pilot
 * was given that is not known any more. Kept in the order in which they will be
 * forgotten, so that forgetting costs a constant amount for each that is remembered.
 */
final class Memory {

    private static final int FORGOTTEN_AT_ONCE = 4;
    private static final String SEEN = "1";
    private static final String PILOT = "p/";

    private final Lane lane;

    Memory(Lane lane) {
        this.lane = lane;
    }

    /** The hash of a closed task's message; null when it is not known. */
    String closedTask(String uid) {
        return lane.writes.get(Tables.MEMORY, "t/" + uid);
    }

    void taskClosed(String uid, long contentHash) {
        remember(
                "t/" + uid,
                Long.toHexString(contentHash),
                lane.options.admission().closedMemory().toMillis());
    }

    /** The task that closed a dataset; null when none is known that did. */
    String closerOf(String datasetUid) {
        return lane.writes.get(Tables.MEMORY, "d/" + datasetUid);
    }

    void datasetClosed(String datasetUid, String taskUid) {
        remember(
                "d/" + datasetUid,
                taskUid,
                lane.options.admission().closedMemory().toMillis());
    }

    boolean isCommandKnown(String id) {
        return lane.writes.get(Tables.MEMORY, "c/" + id) != null;
    }

    void commandTaken(String id) {
        remember("c/" + id, SEEN, lane.options.commands().memory().toMillis());
    }

    /** When the newest command about a forgotten pilot was given, in milliseconds since 1970; 0 when none is remembered. */
    long pilotCommandAt(String id) {
        String known = lane.writes.get(Tables.MEMORY, PILOT + id);
        return known == null ? 0 : Long.parseLong(known, 0, known.indexOf(' '), 10);
    }

    /** A pilot with commands is forgotten; an older command that comes late must not override them. */
    void pilotCommanded(String id, long at) {
        long millis = lane.options.commands().memory().toMillis();
        remember(PILOT + id, at + " " + (lane.now + millis), millis);
    }

    private boolean wasRenewed(String key) {
        String known = key.startsWith(PILOT) ? lane.writes.get(Tables.MEMORY, key) : null;
        return known != null && Long.parseLong(known, known.indexOf(' ') + 1, known.length(), 10) > lane.now;
    }

    private void remember(String key, String value, long millis) {
        LaneRecord record = lane.record;
        lane.writes.put(Tables.MEMORY, key, value);
        lane.writes.put(Tables.FORGET, Long.toString(record.forgetTo++), (lane.now + millis) + " " + key);
        // Two memories with different times share the list, so an entry may wait behind one that lives longer. That is
        // all.
        for (int i = 0; i < FORGOTTEN_AT_ONCE && record.forgetFrom < record.forgetTo; i++) {
            String number = Long.toString(record.forgetFrom);
            String oldest = lane.writes.get(Tables.FORGET, number);
            int space = oldest.indexOf(' ');
            if (Long.parseLong(oldest, 0, space, 10) > lane.now) {
                break;
            }
            String forgotten = oldest.substring(space + 1);
            if (!wasRenewed(forgotten)) {
                lane.writes.remove(Tables.MEMORY, forgotten);
            }
            lane.writes.remove(Tables.FORGET, number);
            record.forgetFrom++;
        }
        lane.writes.laneChanged();
    }
}
