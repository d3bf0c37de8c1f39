package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.LaneRecord;
import dev.weir.scheduler.state.Tables;

/**
 * What must be recognised when it comes again: ids of commands and uids of closed tasks. Kept in the order in which they will be
 * forgotten, so that forgetting costs a constant amount for each that is remembered.
 */
final class Memory {

    private static final int FORGOTTEN_AT_ONCE = 4;
    private static final String SEEN = "1";

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

    boolean isCommandKnown(String id) {
        return lane.writes.get(Tables.MEMORY, "c/" + id) != null;
    }

    void commandTaken(String id) {
        remember("c/" + id, SEEN, lane.options.commands().memory().toMillis());
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
            lane.writes.remove(Tables.MEMORY, oldest.substring(space + 1));
            lane.writes.remove(Tables.FORGET, number);
            record.forgetFrom++;
        }
        lane.writes.laneChanged();
    }
}
