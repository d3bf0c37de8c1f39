package dev.weir.scheduler.limit;

import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.state.GroupRecord;

/**
 * A limit group: how many jobs it may have in flight, how many it may start within a window, and which files wait for it. A job that
 * starts takes a place in each of its groups. Files of one task that are in the same groups are one waiter. The rules:
 *
 * <ol>
 *   <li><b>Order.</b> Groups are ordered by their limit in flight, the smallest first and those without one last, then by key.
 *   <li><b>Queue.</b> When a task has its turn and chooses files of which a group has no place for them, these wait in the queue of the
 *       first such group and the task chooses again.
 *   <li><b>Grant.</b> A group with n free places gives its waiters n grants, to each pool that waits, because the pool that has room in
 *       its window first takes the place. In a pool tasks have their turn, the waiters of a task in the order in which they came. What
 *       has a grant can be chosen again. For all others of its pool a granted place is taken; but what has a grant of another group
 *       takes it if it has waited longer than the waiter with the earliest grant here. A grant ends when the waiter starts, when it waits for a group again,
 *       when its task starts something else, and when the task may not start it any more; the place is granted to the next then.
 *   <li><b>In vain.</b> A waiter that lost its grant because another of its groups was full goes first when it waits in that queue again,
 *       once: so each of its starts takes one turn in each of its groups. It keeps this right while it could not use it.
 *   <li><b>Reservation.</b> A group can reserve one place at a time, which is taken for all others. It reserves it
 *       <ul>
 *         <li>for a pool with a grant, when another pool waits too: of several the one that started in the group longest ago;
 *         <li>for a waiter with a grant that goes first in the queue of a later group, as long as that one is not closed by a limit of 0.
 *             It can take over what is reserved for its pool. What was refused a reservation comes before what has waited shorter.
 *       </ul>
 *       It ends when it is used, when the holder waits for an earlier group or has no grant and no right to go first any more, and
 *       after the time for which the holder has waited since it or its pool started, at least a second. If it lasted for a time h, the
 *       group reserves nothing for 4 h. So others have that place for four fifths of the time, whatever waits.
 *   <li><b>Exceptions.</b> A further attempt of a failed job takes any free place. In a pool with the policy {@code strict} each free
 *       place is granted to the highest rank, no granted place is taken for others, and nothing is reserved.
 * </ol>
 *
 * <p>All that waits starts in the end while jobs end: its turn comes, and what it must wait for the reservation lasts for some time. Not
 * promised: equal shares for files in several groups or of pools without room, and files of a task in order {@code random} or {@code
 * priority}, which may choose others whenever these are granted.
 */
public final class Group implements GroupSet, KeyTable.Entry<String, Group> {

    private final Groups registry;
    private final String key;
    private final int hash;
    private Group next;
    /** What this lane may use of it. */
    private GroupLimit limit;

    private GroupLimit commanded;
    private long commandAt;
    private int inFlight;
    private StartWindow starts;
    /** Null before anything waited. */
    private GroupQueue queue;

    /** Buckets that hold files of it. */
    private int buckets;
    /** Nobody uses it, and nothing of it must be remembered. */
    private boolean forgotten;

    private final boolean restored;
    /** When a timer for its opening is due; {@link Long#MAX_VALUE} without one. */
    long timerAt = Long.MAX_VALUE;

    Group(Groups registry, String key, GroupLimit limit, GroupRecord record) {
        this.registry = registry;
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

    /** Whether it comes before another group in the order of groups. */
    boolean isBefore(Group other) {
        int most = limit.maxInFlight();
        int mostOfOther = other.limit.maxInFlight();
        return most != mostOfOther ? most < mostOfOther : key.compareTo(other.key) < 0;
    }

    /** Whether it is closed: nothing can start until a command comes. */
    boolean isClosed() {
        return limit.maxInFlight() == 0 || limit.maxStarts() == 0;
    }

    /**
     * Whether it has no place for files.
     *
     * @param waiter as what they have waited; null if they have not
     * @param yields whether granted and reserved places are taken for them
     */
    boolean isFullFor(FileBucket files, Waiter waiter, boolean yields, long nowMillis) {
        int free = free(nowMillis);
        return free <= 0 || yields && queue != null && free <= queue.taken(files.pool(), waiter);
    }

    /** What waits; made when nothing has waited yet. */
    GroupQueue queue() {
        queue = queue == null ? new GroupQueue(this, registry) : queue;
        return queue;
    }

    /** Grants the places that are free. */
    void settle(long nowMillis) {
        if (queue != null) {
            queue.settle(nowMillis);
        }
    }

    /** Files of a pool start here. */
    void taken(String pool, long nowMillis) {
        if (queue != null) {
            queue.taken(pool, nowMillis);
        }
    }

    /** Whether it has reserved a place. */
    public boolean isReserved() {
        return queue != null && queue.reservation().holder() != null;
    }

    /** Whether it has reserved a place for a pool. */
    public boolean isReservedForPool() {
        return isReserved() && queue.reservation().holder() instanceof PoolQueue;
    }

    boolean isReservedFor(Waiter waiter) {
        return isReserved() && queue.reservation().holder() == waiter;
    }

    boolean hasWaiting() {
        return queue != null && queue.hasWaiting();
    }

    /** How many are in its queue. */
    public int waiters() {
        return queue == null ? 0 : queue.waiting();
    }

    public void held() {
        buckets++;
    }

    void dropped() {
        if (--buckets < 0) {
            throw new IllegalStateException("group " + key + " loses files that it did not have");
        }
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
