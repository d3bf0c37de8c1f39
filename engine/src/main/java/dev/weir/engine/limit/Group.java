package dev.weir.engine.limit;

import dev.weir.protocol.LimitRow;

/**
 * A limit group: how many jobs it may have in flight, how many it may start within a window, and which files wait for it. A job that
 * starts takes a place in each of its groups. Files of one task that are in the same groups are one waiter. The rules:
 *
 * <ol>
 *   <li><b>Order.</b> Groups are ordered by their limit in flight, the smallest first and those without one last, then by key.
 *   <li><b>Queue.</b> When a task has its turn and chooses files, and a group of theirs has no place for them, they wait in the queue of
 *       the first such group. The task chooses again.
 *   <li><b>Grant.</b> A group with n free places gives n grants to the waiters of each pool that waits. The first pool with room in its
 *       window uses the place. In a pool the tasks alternate, and the waiters of a task are served in order of arrival, or, where files have ranks, the best first. A waiter with a
 *       grant can be chosen again. For other waiters of its pool a granted place is taken, with one exception: a waiter with a grant of
 *       another group takes it if it has waited longer than the waiter with the earliest grant here. A grant ends when the waiter
 *       starts or waits for a group again, and when its task starts something else or may not start it any more. Then the next one gets it.
 *   <li><b>Unused grant.</b> A waiter that lost its grant because another of its groups was full goes first, once, when it waits in that
 *       queue again. So it waits once in each of its groups for each start. It keeps this right until it can use it.
 *   <li><b>Reservation.</b> A group can reserve one place at a time. For all others this place is taken. It is reserved
 *       <ul>
 *         <li>for a pool with a grant, when another pool waits too. Of several pools, the one with the oldest start in the group gets it;
 *         <li>for a waiter with a grant that goes first in the queue of a later group, unless a limit of 0 closes that group. It can take
 *             over the reservation of its pool. A waiter that was refused a reservation comes before waiters that waited less.
 *       </ul>
 *       It ends when it is used, when the holder waits for an earlier group, and when the holder has neither a grant nor the right to go
 *       first. It lasts as long as the holder had waited since its last start or that of its pool, but at least a second. After a
 *       reservation that lasted d the group reserves nothing for 4 × d. So others have that place for four fifths of the time.
 *   <li><b>Exceptions.</b> A group that is held has no free place until its hold ends. A further attempt of a failed job takes any free place. In a pool with the policy {@code strict} each free
 *       place is granted to the highest rank, no granted place is taken for others, and nothing is reserved.
 * </ol>
 *
 * <p>While jobs end, every waiter starts in the end: each grant comes round, and each reservation is limited in time. Not promised: equal
 * shares for files in several groups or of pools without room, and a start of each file in the orders {@code random} and {@code
 * priority}, because such a task may choose others whenever these files get a grant.
 */
public final class Group implements GroupSet, KeyTable.Entry<String, Group> {

    /** Most sets of waiting files whose files are counted for readers. */
    public static final int COUNTED_WAITERS = 1_000;

    private final Groups registry;
    private final String key;
    private final int hash;
    private Group next;
    /** The part of the limit that this lane may use. */
    private GroupLimit limit;

    private GroupLimit commanded;
    private long commandAt;
    private int inFlight;
    private StartWindow starts;
    /** Nothing starts before this time, in milliseconds since 1970; 0 when it is not held. */
    private long heldUntil;
    /** Null until a file has waited. */
    private GroupQueue queue;

    /** Buckets that hold files of it. */
    private int buckets;
    /** The group is unused, and nothing of it must be remembered. */
    private boolean forgotten;
    /** Whether it is among the news. */
    boolean noted;
    /** A hash of how readers see it; 0 when they do not. */
    public long shown;

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
            heldUntil = record.heldUntil();
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
        if (nowMillis < heldUntil) {
            return 0;
        }
        int free = limit.maxInFlight() == GroupLimit.UNLIMITED ? GroupLimit.UNLIMITED : limit.maxInFlight() - inFlight;
        if (limit.maxStarts() != GroupLimit.UNLIMITED && starts != null) {
            long started = starts.count(nowMillis, limit.window().toMillis());
            free = (int) Math.min(free, limit.maxStarts() - started);
        } else if (limit.maxStarts() != GroupLimit.UNLIMITED) {
            free = Math.min(free, limit.maxStarts());
        }
        return Math.max(0, free);
    }

    /** When {@link #free} grows by the passing of time alone; {@link Long#MAX_VALUE} if it does not. */
    public long opensAt(long nowMillis) {
        if (nowMillis < heldUntil) {
            return heldUntil;
        }
        if (limit.maxStarts() == GroupLimit.UNLIMITED || limit.maxStarts() == 0 || starts == null) {
            return Long.MAX_VALUE;
        }
        long window = limit.window().toMillis();
        return starts.count(nowMillis, window) >= limit.maxStarts() ? starts.opensAt(window) : Long.MAX_VALUE;
    }

    /** As {@link #opensAt}, but also while some places are free: more waiters may start then. */
    long growsAt(long nowMillis) {
        if (nowMillis < heldUntil) {
            return heldUntil;
        }
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

    /** After a restore: counts a job in flight, whose start is in the record already. */
    void counted() {
        inFlight++;
    }

    void ended() {
        if (inFlight <= 0) {
            throw new IllegalStateException("group " + key + " ends a job that it did not start");
        }
        inFlight--;
    }

    public boolean isLimited() {
        return limit.maxInFlight() != GroupLimit.UNLIMITED || limitsStarts() || isHeld();
    }

    /** Whether nothing may start for a while, whatever its limit. */
    boolean isHeld() {
        return heldUntil != 0;
    }

    /** The end of its hold, in milliseconds since 1970; 0 when it is not held. */
    public long heldUntil() {
        return heldUntil;
    }

    /** Of several holds the later end counts. Returns false when one lasts as long already. */
    boolean hold(long untilMillis) {
        boolean isLonger = untilMillis > heldUntil;
        heldUntil = Math.max(heldUntil, untilMillis);
        return isLonger;
    }

    /** Ends a hold whose time is over. Returns whether it did. */
    boolean endHold(long nowMillis) {
        boolean isOver = isHeld() && heldUntil <= nowMillis;
        heldUntil = isOver ? 0 : heldUntil;
        return isOver;
    }

    boolean limitsStarts() {
        return limit.maxStarts() != GroupLimit.UNLIMITED;
    }

    /**
     * Sets the limit. Returns false when a newer command has been applied.
     *
     * @param whole the limit as given
     * @param mine the part that this lane may use
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
        if (forgotten || commanded == null && !limitsStarts() && !isHeld()) {
            return null;
        }
        return new GroupRecord(commanded, commandAt, starts == null ? new long[0] : starts.toArray(), heldUntil);
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
     * @param waiter the waiter of these files; null if they have not waited
     * @param yields whether granted and reserved places are taken for them
     */
    boolean isFullFor(FileBucket files, Waiter waiter, boolean yields, long nowMillis) {
        int free = free(nowMillis);
        return free <= 0 || yields && queue != null && free <= queue.taken(files, waiter);
    }

    /** Its queue; made at the first call. */
    GroupQueue queue() {
        queue = queue == null ? new GroupQueue(this, registry) : queue;
        return queue;
    }

    /** Grants the free places. */
    void settle(long nowMillis) {
        if (queue != null) {
            queue.settle(nowMillis);
        }
    }

    /** Notes that files of a pool start in this group. */
    void taken(String pool, long nowMillis) {
        if (queue != null) {
            queue.taken(pool, nowMillis);
        }
    }

    /** Throws {@link IllegalStateException} if its reservation breaks a rule. */
    public void verify() {
        if (queue != null) {
            queue.verify();
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

    /** How many waiters are in its queue. */
    public int waiters() {
        return queue == null ? 0 : queue.waiting();
    }

    /** How many files are in its queue; of more than {@value #COUNTED_WAITERS} waiters, those of the first ones. */
    public long waitingFiles() {
        return queue == null ? 0 : queue.waitingFiles(COUNTED_WAITERS);
    }

    /** How many have started within the window that ends now; 0 when starts are not limited. */
    public long starts(long nowMillis) {
        return limitsStarts() && starts != null
                ? starts.count(nowMillis, limit.window().toMillis())
                : 0;
    }

    /** The limit as given, of which this lane uses a part. */
    public GroupLimit whole() {
        return commanded == null ? registry.keys().limit(key) : commanded;
    }

    /** Where its limit comes from. */
    public LimitRow.Source source() {
        return commanded != null && !commanded.equals(registry.keys().limit(key))
                ? LimitRow.Source.COMMAND
                : registry.keys().configured().containsKey(key) ? LimitRow.Source.GROUP : LimitRow.Source.RULE;
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
     * When the group can be forgotten: it is unused and not held, its limit is the configured one, commands older than the last are no longer
     * possible, and its starts have left the window. In epoch milliseconds; {@link Long#MAX_VALUE} when that is not known yet.
     *
     * @param configured the limit of a new group with this key; used only after a command
     * @param memoryMillis how long commands are remembered
     */
    long forgettableAt(long nowMillis, GroupLimit configured, long memoryMillis) {
        // A timer of it may still be set when there is another group of its name, with a record of its own.
        if (forgotten
                || isHeld()
                || buckets > 0
                || inFlight > 0
                || commanded != null && !commanded.equals(configured)) {
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

    /** The whole limit that a command has set; null when none has. */
    GroupLimit commanded() {
        return commanded;
    }

    void forget() {
        forgotten = true;
    }

    /** Whether it is no group any more; another one may have its key. */
    public boolean isForgotten() {
        return forgotten;
    }

    /** Whether state may have a record of it. */
    boolean isRecorded() {
        return starts != null || restored || commanded != null || isHeld();
    }
}
