package dev.weir.scheduler.limit;

import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.state.GroupRecord;

/**
 * A limit group: what it allows, what it has out, and who waits for it. One who waits is in one queue of one group, by pool and task;
 * when the group lets k more start, k of each pool are woken, of one task after the other. So the cost of a job does not grow with the
 * number of groups, nor with the number of those who wait, and those who wait take turns: a place for which one was woken is not given
 * to another of its pool, unless its own task starts something else first. One who waits for another group as well, or a pool that has
 * no room, may have a place kept here meanwhile: see {@link KeptPlace}.
 */
public final class Group implements GroupSet, KeyTable.Entry<String, Group> {

    private final String key;
    private final int hash;
    private Group next;
    /** What this lane may use of it. */
    private GroupLimit limit;

    private GroupLimit commanded;
    private long commandAt;
    private int inFlight;
    private StartWindow starts;
    /** Who waits; null before anybody did. */
    private Lines lines;

    /** Null before any was kept. */
    private KeptPlace kept;
    /** Null before anybody waited for it and would keep places in other groups meanwhile. */
    private Awaited awaited;

    /** Buckets that hold files of it. */
    private int buckets;
    /** Nobody uses it, and nothing of it must be remembered. */
    private boolean forgotten;

    private final boolean restored;
    /** When a timer for its opening is due; {@link Long#MAX_VALUE} without one. */
    long timerAt = Long.MAX_VALUE;

    Group(String key, GroupLimit limit, GroupRecord record) {
        this.key = key;
        hash = KeyTable.spread(key);
        this.limit = limit;
        restored = record != null;
        if (record != null) {
            commandAt = record.commandAt();
            commanded = record.limit();
            starts = record.starts().length == 0 ? null : new StartWindow(record.starts());
        }
    }

    /** Something that waits for groups to allow a start. */
    public interface Waiter extends Claimant {
        /** The pool whose turn it takes. */
        String pool();

        /** The task: those of one take turns as one, however many they are. */
        Object owner();

        /** Whether those of its pool are woken in turn, and a place is kept for whom it was woken; false: its policy decides who goes first. */
        boolean takesTurns();

        /** Whether it still waits. */
        boolean waitsFor(Group group);

        /** Whether its pool's policy lets it go before another of the pool; where no turns are taken. */
        boolean goesBefore(Waiter other);

        /** Its group may allow one more: look again. Returns whether it will use that. */
        boolean wake(Group group);

        /** The number that it drew when it began to wait for a start: who drew a lower one has waited longer. */
        @Override
        default long ticket() {
            throw new IllegalStateException("one who keeps nothing draws no number");
        }

        /** What is kept for it in other groups is to be given back, and it does not ask for that any more. */
        @Override
        default void giveBack(long nowMillis) {
            throw new IllegalStateException("nothing is kept for one who keeps nothing");
        }
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public int hash() {
        return hash;
    }

    @Override
    public Group next() {
        return next;
    }

    @Override
    public void nextIs(Group other) {
        next = other;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public Group group(int index) {
        return this;
    }

    public GroupLimit limit() {
        return limit;
    }

    public int inFlight() {
        return inFlight;
    }

    /** How many more may start now. */
    public int free(long nowMillis) {
        int free = limit.maxInFlight() == GroupLimit.UNLIMITED ? GroupLimit.UNLIMITED : limit.maxInFlight() - inFlight;
        if (limit.maxStarts() != GroupLimit.UNLIMITED && starts != null) {
            long started = starts.count(nowMillis, limit.window().toMillis());
            free = (int) Math.min(free, limit.maxStarts() - started);
        } else if (limit.maxStarts() != GroupLimit.UNLIMITED) {
            free = Math.min(free, limit.maxStarts());
        }
        return Math.max(0, free);
    }

    /** Whether {@link #free} can grow by the passing of time alone; then when, else {@link Long#MAX_VALUE}. */
    public long opensAt(long nowMillis) {
        if (limit.maxStarts() == GroupLimit.UNLIMITED || limit.maxStarts() == 0 || starts == null) {
            return Long.MAX_VALUE;
        }
        long window = limit.window().toMillis();
        return starts.count(nowMillis, window) >= limit.maxStarts() ? starts.opensAt(window) : Long.MAX_VALUE;
    }

    /** As {@link #opensAt}, also while it lets some start: those who wait beside those who were woken for that may start then. */
    long growsAt(long nowMillis) {
        if (limit.maxStarts() == GroupLimit.UNLIMITED || limit.maxStarts() == 0 || starts == null) {
            return Long.MAX_VALUE;
        }
        long window = limit.window().toMillis();
        long count = starts.count(nowMillis, window);
        boolean binds = count > 0 && limit.maxStarts() - count + inFlight < limit.maxInFlight();
        return binds ? starts.opensAt(window) : Long.MAX_VALUE;
    }

    void started(long nowMillis) {
        inFlight++;
        if (limit.maxStarts() != GroupLimit.UNLIMITED) {
            if (starts == null) {
                starts = new StartWindow(new long[0]);
            }
            starts.started(nowMillis, limit.maxStarts(), limit.window().toMillis());
        }
    }

    /** A job that is out already, after a restore: its start is known from the record. */
    void counted() {
        inFlight++;
    }

    void ended() {
        if (inFlight <= 0) {
            throw new IllegalStateException("group " + key + " ends a job that it did not start");
        }
        inFlight--;
    }

    boolean isLimited() {
        return limit.maxInFlight() != GroupLimit.UNLIMITED || limitsStarts();
    }

    boolean limitsStarts() {
        return limit.maxStarts() != GroupLimit.UNLIMITED;
    }

    /**
     * Returns false when a newer command was here before.
     *
     * @param whole as it was given
     * @param mine what this lane may use of it
     */
    boolean command(GroupLimit whole, GroupLimit mine, long at) {
        if (at < commandAt) {
            return false;
        }
        commandAt = at;
        commanded = whole;
        limit = mine;
        return true;
    }

    /** Null when nothing must be remembered. */
    GroupRecord record() {
        if (forgotten || commanded == null && !limitsStarts()) {
            return null;
        }
        return new GroupRecord(commanded, commandAt, starts == null ? new long[0] : starts.toArray());
    }

    void park(Waiter waiter, boolean first, Groups registry) {
        lines = lines == null ? new Lines(this, registry) : lines;
        lines.park(waiter, first);
    }

    /** One of a pool takes a place. */
    void taken(String pool, long nowMillis) {
        if (lines != null) {
            lines.taken(pool, nowMillis);
        }
    }

    /** One that is parked waits no more. */
    void left(Waiter waiter, boolean first) {
        lines.left(waiter, first);
    }

    /** How many of a pool were woken for a place and have not taken it. */
    int turns(String pool) {
        return lines == null ? 0 : lines.turns(pool);
    }

    /** Whether a place of it is kept, for one who waits for another group as well or for a pool that was passed over. */
    public boolean isKept() {
        return kept != null && !kept.isFree();
    }

    /** Whether that is such a pool. */
    public boolean isKeptForPool() {
        return isKept() && kept.isForPool();
    }

    /** Whether that is this one, of those who wait for another group as well. */
    public boolean isKeptFor(Waiter waiter) {
        return kept != null && kept.isFor(waiter);
    }

    /** Whether one is kept that a waiter may not have: neither it nor its pool. */
    boolean isKeptFrom(Waiter waiter) {
        return isKept() && !kept.isFor(waiter) && (lines == null || !lines.isKeptFor(waiter.pool()));
    }

    /** Whether one that was woken may keep its place now; it may have that of its pool. */
    boolean mayKeep(Waiter waiter, long starts, long nowMillis) {
        return kept().mayBegin(waiter, lines == null ? null : lines.claimant(waiter.pool()), starts, nowMillis);
    }

    /** The place; made when there was none yet. */
    KeptPlace kept() {
        kept = kept == null ? new KeptPlace() : kept;
        return kept;
    }

    long keptUntil() {
        return kept == null ? Long.MAX_VALUE : kept.until();
    }

    /** Who waits for it and keeps places in others; made when there was none yet. */
    Awaited awaited() {
        awaited = awaited == null ? new Awaited() : awaited;
        return awaited;
    }

    /** Whether it is closed: nothing can start until a command comes. */
    boolean isClosed() {
        return limit.maxInFlight() == 0 || limit.maxStarts() == 0;
    }

    /** One that was woken has started, or something is kept for itself. */
    void turnUsed(String pool) {
        lines.turnUsed(pool);
    }

    /** One that was woken parks again, because nothing is free any more. */
    void turnInVain(String pool, long nowMillis) {
        lines.turnInVain(pool, nowMillis);
    }

    /**
     * Wakes as many of each pool as may start.
     *
     * @param more how many that is more than before, at most
     */
    void wake(int more, long nowMillis) {
        if (lines != null) {
            lines.wake(more, nowMillis);
        }
    }

    /** One of a pool that was woken does not use its turn: wakes the next. */
    void passOn(String pool, long nowMillis) {
        lines.passOn(pool, nowMillis);
    }

    /** One that was woken does not use its turn for now, because something else of its owner has started: wakes one of another. */
    void lapse(Waiter waiter, long nowMillis) {
        lines.lapse(waiter, nowMillis);
    }

    /** One whose turn has lapsed starts after all, parks again or is gone. */
    void lapseEnded(Waiter waiter, long nowMillis) {
        lines.lapseEnded(waiter, nowMillis);
    }

    /** A command has closed it. */
    void closed(long nowMillis) {
        if (lines != null) {
            lines.closed(nowMillis);
        }
    }

    boolean hasWaiting() {
        return lines != null && lines.hasWaiting();
    }

    /** Who waits or did, in memory. */
    public int waiters() {
        return lines == null ? 0 : lines.size();
    }

    public void held() {
        buckets++;
    }

    void dropped() {
        buckets--;
    }

    /**
     * From when on nothing of it must be remembered: nobody uses it, it is limited as configured, no command comes any more that is
     * older than the last, and its starts have left the window. {@link Long#MAX_VALUE} when that can't be told yet.
     *
     * @param configured what it would be limited to if it were made now; looked at when a command was given
     * @param memoryMillis how long commands are remembered
     */
    long forgettableAt(long nowMillis, GroupLimit configured, long memoryMillis) {
        // A timer of it may still be set when there is another group of its name, with a record of its own.
        if (forgotten || buckets > 0 || inFlight > 0 || commanded != null && !commanded.equals(configured)) {
            return Long.MAX_VALUE;
        }
        long overtaken = commanded == null ? nowMillis : Math.max(nowMillis, commandAt + memoryMillis);
        if (!limitsStarts() || starts == null) {
            return overtaken;
        }
        long window = limit.window().toMillis();
        return starts.count(nowMillis, window) == 0 ? overtaken : Math.max(overtaken, starts.emptyAt(window));
    }

    boolean isCommanded() {
        return commanded != null;
    }

    void forget() {
        forgotten = true;
    }

    /** Whether state may have a record of it. */
    boolean isRecorded() {
        return starts != null || restored || commanded != null;
    }
}
