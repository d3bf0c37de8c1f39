package dev.weir.scheduler.lane;

import dev.weir.protocol.Task;
import dev.weir.protocol.Urls;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.backlog.Chunk;
import dev.weir.scheduler.interleave.Member;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.Bits;
import dev.weir.scheduler.state.Claim;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** An open task in memory: its progress, and the index of what waits of it. */
final class TaskEntry extends Member implements Backlog.Owner, LongPredicate {

    private final Lane lane;
    final Progress p;
    final PoolEntry pool;
    Backlog backlog;
    final ChunkList chunks = new ChunkList();
    /** Priorities that were changed while their files wait, by position. */
    final TreeMap<Long, GivenPriority> givenPriorities = new TreeMap<>();
    /** By position; null while there are none. */
    TreeMap<Long, Claim> claims;
    /** Its jobs that are not over, ghosts excluded. */
    final JobList live = new JobList();

    final Timer pageTimer;
    final Timer closeTimer;
    final Timer rowTimer;

    /** Place among those that wait for a slot; smaller is earlier. */
    double admissionKey;

    /** As what its files are counted that do not start. */
    final Held.Part held = new Held.Part();

    boolean waiting;
    boolean reading;
    boolean dirty;
    /** Whether its files may have to be counted as something else. */
    boolean recount;

    boolean gone;

    Chunk chunk;
    long chunkFirst = -1;
    /** The chunk that was looked for last: most of the time it is the one that is looked for next. */
    private ChunkMeta lastFound;

    /** The piece of the check-list that grows, and its key; null after a restart until it is looked for. */
    Names checkListTail;

    String checkListKey;
    /** For the fairness that is shown: whether it could give at the last reading, and what it had given. */
    boolean measured;

    long releasedBefore;
    private Task spec;
    private String outputDirectory;
    private boolean blocked;
    private long[] releasedBits = {};

    TaskEntry(Lane lane, Progress progress, PoolEntry pool) {
        this.lane = lane;
        p = progress;
        this.pool = pool;
        arrival = progress.arrival;
        weigh(progress.rank, Rankers.weight(progress.rank));
        pageTimer = new Timer(() -> lane.reading.askAgain(this));
        closeTimer = new Timer(() -> lane.closure.step(this));
        rowTimer = new Timer(() -> lane.rows.task(this));
    }

    Task spec() {
        if (spec == null) {
            spec = lane.writes.get(dev.weir.scheduler.state.Tables.TASK, p.uid);
        }
        return spec;
    }

    /** URL of the directory in which each job has one for its output and log. */
    String outputDirectory() {
        if (outputDirectory == null) {
            outputDirectory = Urls.join(spec().datStorUrl(), spec().datOutUrl());
        }
        return outputDirectory;
    }

    void specIs(Task task) {
        spec = task;
    }

    /** The chunk in state with this position; null when it was not read, or its chunk is gone. */
    ChunkMeta chunkAt(long position) {
        if (lastFound == null || position < lastFound.first || position >= lastFound.end()) {
            lastFound = chunks.at(position);
        }
        return lastFound;
    }

    void chunkGone(ChunkMeta meta) {
        chunks.remove(meta);
        if (lastFound == meta) {
            lastFound = null;
        }
    }

    void allChunksGone() {
        chunks.clear();
        lastFound = null;
    }

    /** Whether a position was released, adopted ones included. */
    boolean isReleased(long position) {
        return position < p.cursor || bit(position) || isAdopted(position);
    }

    @Override
    public boolean test(long position) {
        return isReleased(position);
    }

    boolean isAdopted(long position) {
        Claim claim = claims == null ? null : claims.get(position);
        return claim != null && claim.report() == null;
    }

    Claim claim(long position) {
        return claims == null ? null : claims.get(position);
    }

    void claimIs(Claim claim) {
        if (claims == null) {
            claims = new TreeMap<>();
        }
        claims.put(claim.position(), claim);
    }

    void claimGone(long position) {
        claims.remove(position);
        if (claims.isEmpty()) {
            claims = null;
        }
    }

    private boolean bit(long position) {
        int word = (int) (position >>> 6);
        return word < releasedBits.length && (releasedBits[word] & 1L << position) != 0;
    }

    /** Marks a position and returns the piece of state that holds it. */
    Bits mark(long position) {
        int piece = (int) (position / Bits.POSITIONS);
        int end = (piece + 1) * Bits.WORDS;
        if (end > releasedBits.length) {
            releasedBits = Arrays.copyOf(
                    releasedBits, Math.max(end, Math.min(releasedBits.length * 2, pieces() * Bits.WORDS)));
        }
        releasedBits[(int) (position >>> 6)] |= 1L << position;
        return new Bits(Arrays.copyOfRange(releasedBits, piece * Bits.WORDS, end));
    }

    void restoreBits(long piece, Bits bits) {
        int end = (int) (piece + 1) * Bits.WORDS;
        if (end > releasedBits.length) {
            releasedBits = Arrays.copyOf(releasedBits, Math.max(end, releasedBits.length * 2));
        }
        System.arraycopy(bits.words(), 0, releasedBits, end - Bits.WORDS, Bits.WORDS);
    }

    /** Pieces of {@link Bits} that the task's positions fill. */
    int pieces() {
        return (int) ((p.known + Bits.POSITIONS - 1) / Bits.POSITIONS);
    }

    @Override
    public String pool() {
        return pool.name;
    }

    @Override
    public boolean takesTurns() {
        return !pool.strict;
    }

    @Override
    public boolean goesBefore(Backlog.Owner other) {
        TaskEntry task = (TaskEntry) other;
        return rank != task.rank ? rank > task.rank : arrival < task.arrival;
    }

    @Override
    public boolean goesOn() {
        return !p.paused && p.stop == Stop.NONE;
    }

    /** Whether it gives something as soon as its pool lets it. */
    boolean wantsToStart() {
        return goesOn() && (startsFresh() && backlog.hasReadyFresh() || backlog.hasReadyRetry());
    }

    /** Whether it holds a slot in vain for now: all its files that have been read wait for groups. */
    boolean isBlocked() {
        return p.slot && backlog.isHeldByGroups() && !backlog.hasReadyFresh();
    }

    /** Whether it is may have changed. */
    void countIfBlocked() {
        boolean now = isBlocked();
        if (now != blocked) {
            blocked = now;
            pool.blocked += now ? 1 : -1;
            lane.slots.blockedChanged(pool);
        }
    }

    @Override
    public boolean startsFresh() {
        return p.slot && pool.givesFresh();
    }

    @Override
    public boolean triesAgain() {
        return pool.triesAgain();
    }

    /** The priority of a waiting file: as given, lowered when it has waited too long since it was read or a command was given about it. */
    @Override
    public int priorityNow(long position, int priority) {
        GivenPriority given = givenPriorities.isEmpty() ? null : givenPriorities.get(position);
        int own = given == null ? priority : given.priority();
        Integer demoteAfterS = spec().demoteAfterS();
        int lowered = lane.options.rank().demoteTo();
        if (demoteAfterS == null || own >= lowered) {
            return own;
        }
        ChunkMeta chunk = chunkAt(position);
        long since = chunk == null ? lane.now : chunk.since;
        if (given != null) {
            since = Math.max(since, given.at());
        }
        return lane.now - since >= demoteAfterS * 1000L ? lowered : own;
    }

    @Override
    public void readinessChanged() {
        lane.recount(this);
        countIfBlocked();
        if (wantsToStart()) {
            if (!isReady()) {
                pool.policy.add(this);
                lane.mayStart(pool);
                lane.rows.taskSoon(this);
            }
        } else if (isReady()) {
            pool.policy.remove(this);
            // Readers see why it waits.
            lane.rows.taskSoon(this);
        }
    }
}
