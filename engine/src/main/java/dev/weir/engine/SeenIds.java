package dev.weir.engine;

/**
 * Ids that must be recognised when they come again, each with a value, for a time. They are kept in the order in which they will be
 * forgotten, so that forgetting costs a constant amount for each id that is added. Ids with different times share that order, so an id
 * may be remembered as long as one before it.
 */
public final class SeenIds {

    private static final int FORGOTTEN_AT_ONCE = 4;

    private final Session<?> session;
    private final long longestMillis;

    /** @param longestMillis the longest time for which ids are remembered */
    public SeenIds(Session<?> session, long longestMillis) {
        this.session = session;
        this.longestMillis = longestMillis;
    }

    /** The value of the id; null when it is unknown. */
    public String get(String id) {
        return session.work().get(EngineTables.SEEN, id);
    }

    /** Remembers an id. A known id gets the new value, but is forgotten at its first time. */
    public void remember(String id, String value, long millis) {
        UnitOfWork work = session.work();
        EngineRecord record = session.record();
        work.put(EngineTables.SEEN, id, value);
        work.put(EngineTables.FORGET, Long.toString(record.forgetTo++), (session.now() + millis) + " " + id);
        for (int i = 0; i < FORGOTTEN_AT_ONCE && record.forgetFrom < record.forgetTo; i++) {
            String number = Long.toString(record.forgetFrom);
            String oldest = work.get(EngineTables.FORGET, number);
            int space = oldest.indexOf(' ');
            long left = Long.parseLong(oldest, 0, space, 10) - session.now();
            if (left > 0 && left <= 2 * longestMillis) {
                break;
            }
            String seen = oldest.substring(space + 1);
            if (left <= 0) {
                work.remove(EngineTables.SEEN, seen);
            } else {
                // The clock was ahead then, or is behind now: it must neither hold up all others nor be forgotten.
                work.put(
                        EngineTables.FORGET,
                        Long.toString(record.forgetTo++),
                        (session.now() + longestMillis) + " " + seen);
            }
            work.remove(EngineTables.FORGET, number);
            record.forgetFrom++;
        }
        work.changed(record);
    }
}
