package dev.weir.scheduler.model;

import dev.weir.engine.Entity;
import dev.weir.engine.Timer;
import dev.weir.engine.interleave.Member;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Order;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.protocol.Urls;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.backlog.BacklogOwner;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.Chunk;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** A task that is not closed, in memory: its progress, and the index of what waits of it. */
public final class OpenTask extends Member implements Entity, BacklogOwner, LongPredicate {

    /** While its storage is away a fresh file starts when there are more failures by this part of them. */
    private static final int PROBE_SHARE = 2;
    /** Characters: what a task that waits may keep in memory. */
    private static final int LONG_TEXTS = 1_000;

    private final Lane lane;
    public final Progress progress;
    public final Pool pool;
    public Backlog backlog;
    public final ChunkList chunks = new ChunkList();
    public final ReleasedPositions released = new ReleasedPositions();
    public final GivenPriorities given;
    public final AdoptedPositions adopted = new AdoptedPositions();
    /** Its jobs that are not over. */
    public final JobList live = new JobList();

    public final Timer pageTimer = new Timer(TimerKind.PAGE, this);
    /** Set while failed jobs are still to be tried again by command. */
    public final Timer retryTimer = new Timer(TimerKind.RETRYING, this);

    public final Timer stopTimer = new Timer(TimerKind.STOPPING, this);
    public final Timer closeTimer = new Timer(TimerKind.CLOSING, this);
    public final Timer rowTimer = new Timer(TimerKind.TASK_ROW, this);
    /** Place among the tasks that wait for a slot; smaller is earlier. */
    public double admissionKey;
    /** Whether it waits for a slot. */
    public boolean waiting;
    /** Whether it reads its first page without a slot. */
    public boolean reading;
    /** Why it has to end before all its files were processed; null while it need not. */
    public String failure;

    /** Why it neither starts nor settles anything until a command says so: the scheduler failed at it. Null while nothing is wrong. */
    public String aside;

    /** What of its state is damaged. */
    public final List<Damage> damages = new ArrayList<>(0);

    /** Whether DSM knows no such dataset, so that the task goes without closing one. */
    public boolean rejected;

    /** Whether a command about it waits until reports have been read: until then it does not close. */
    public boolean commandWaits;

    public boolean gone;
    /** The state in which it went; null while it is open. */
    public TaskState closedAs;
    /** The chunk that was read last, and its first position; -1 for none. */
    public Chunk chunk;

    public long chunkFirst = -1;
    /** The piece of the check-list that grows, and its key; null after a restart until it is looked for. */
    public Names checkListTail;

    public String checkListKey;
    /** For the fairness that is shown: whether it could give at the last reading, and what it had given. */
    public boolean measured;

    public long releasedBefore;
    /** A hash of what of its row is shown at once; 0 before the first row. */
    public long shown;
    /** Whether its row is to be shown whatever has changed. */
    public boolean rowDue;

    /** For {@link Pool}: the number of the change that it has learned of last. */
    long knownChanges;
    /** For {@link Agenda}. */
    boolean onAgenda;

    boolean toShow;
    private ChunkRef lastFound;
    private Task spec;
    private String outputDirectory;
    private boolean blocked;
    /** Whether changes of its pool matter to it. */
    private boolean concerned;
    /** What the last event has settled of {@link #waitsForStorage}. */
    private boolean heldByStorage;

    private boolean changed;

    /** A damaged value of state. */
    public record Damage(Table<?> table, String key) {}

    public OpenTask(Lane lane, Progress progress, Pool pool) {
        this.lane = lane;
        this.progress = progress;
        this.pool = pool;
        given = new GivenPriorities(lane);
        arrival = progress.arrival;
        weigh(progress.rank, Rankers.weight(progress.rank));
    }

    /** As it came, without its targets. */
    public Task spec() {
        if (spec == null) {
            Task stored = lane.work.get(Tables.TASK, progress.uid);
            if ((waiting || progress.keptUntil > 0) && isLong(stored)) {
                return stored;
            }
            spec = stored;
        }
        return spec;
    }

    public void waitsForSlot() {
        waiting = true;
        leaveTexts();
    }

    /** It waits, maybe for days and among thousands: its long texts stay in state. */
    public void leaveTexts() {
        if (spec != null && isLong(spec)) {
            spec = null;
            outputDirectory = null;
        }
    }

    private static boolean isLong(Task task) {
        int groups = 0;
        for (String group : task.groups()) {
            groups += group.length();
        }
        return task.args().length()
                        + task.executable().length()
                        + task.datStorUrl().length()
                        + task.datOutUrl().length()
                        + groups
                > LONG_TEXTS;
    }

    public void specIs(Task task) {
        spec = task;
    }

    /** URL of the directory in which each job has a directory for its output and log. */
    public String outputDirectory() {
        if (outputDirectory == null) {
            outputDirectory = Urls.join(spec().datStorUrl(), spec().datOutUrl());
        }
        return outputDirectory;
    }

    /** It holds one of the pool's slots, or no longer. */
    public void hasSlot(boolean has) {
        progress.slot = has;
        if (has) {
            pool.active.add(this);
        } else {
            pool.active.remove(this);
        }
        countIfConcerned();
    }

    /** A job of it begins, or a job that was over comes back. */
    public void begun(LiveJob job) {
        live.add(job);
        countIfConcerned();
    }

    /** A job of it is over. */
    public void over(LiveJob job) {
        live.remove(job);
        countIfConcerned();
    }

    private void countIfConcerned() {
        boolean now = progress.slot || live.size() > 0;
        if (now != concerned) {
            concerned = now;
            pool.concerns(this, now);
        }
    }

    /** Makes the backlog that its order of files needs. */
    public void makeBacklog() {
        Order order = progress.indexed ? spec().order() : Order.SEQUENTIAL;
        backlog = new Backlog(this, order, progress.indexed, lane.groups);
    }

    /** The chunk in state with this position; null when it was not read, or its chunk is gone. */
    public ChunkRef chunkAt(long position) {
        if (lastFound == null || position < lastFound.first || position >= lastFound.end()) {
            lastFound = chunks.at(position);
        }
        return lastFound;
    }

    public void chunkGone(ChunkRef gone) {
        chunks.remove(gone);
        if (lastFound == gone) {
            lastFound = null;
        }
    }

    /** Whether a position was released; adopted positions count. A chunk of an indexed task goes when all of it was. */
    public boolean isReleased(long position) {
        return position < progress.cursor
                || adopted.has(position)
                || progress.indexed
                        && position < progress.known
                        && (released.has(position) || chunkAt(position) == null);
    }

    /** The same, for the backlog. */
    @Override
    public boolean test(long position) {
        return isReleased(position);
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
    public boolean goesBefore(BacklogOwner other) {
        OpenTask task = (OpenTask) other;
        return rank != task.rank ? rank > task.rank : arrival < task.arrival;
    }

    @Override
    public boolean goesOn() {
        return aside == null && !progress.paused && progress.stop == Stop.NONE;
    }

    @Override
    public boolean startsFresh() {
        return progress.slot && pool.startsFresh() && !waitsForStorage();
    }

    @Override
    public boolean triesAgain() {
        return pool.startsRetries();
    }

    /** Whether its last attempts all failed in stage-in or stage-out. */
    public boolean isStorageAway() {
        int away = lane.options.attempts().storageAwayAfter();
        return away > 0 && progress.stagingFailures >= away;
    }

    /**
     * Whether its fresh files wait for its storage. Its failed jobs show when that is back. A fresh file goes all the same when no job is
     * left, and each time that there are half as many failures more: what has failed may be no sign for the rest of the dataset.
     */
    private boolean waitsForStorage() {
        return isStorageAway() && progress.live() > 0 && progress.stagingFailures < progress.probeFrom;
    }

    /** A fresh file was released: while its storage is away there is none after it for now. */
    public void freshReleased() {
        if (isStorageAway()) {
            progress.probeFrom = progress.stagingFailures + Math.max(1, progress.stagingFailures / PROBE_SHARE);
            readinessChanged();
        }
    }

    /** At the end of an event: its fresh files wait for its storage from now on, or no longer. */
    public void settle() {
        boolean now = waitsForStorage();
        if (now != heldByStorage) {
            heldByStorage = now;
            mayStartLess();
            lane.agenda.fill(pool);
        }
    }

    /** Whether it gives something as soon as its turn comes. */
    public boolean wantsToStart() {
        return goesOn() && (startsFresh() && backlog.hasReadyFresh() || backlog.hasReadyRetry());
    }

    /** Whether it has no file to start: none is left, or DSM does not give the page with the next ones. */
    public boolean isUsedUp() {
        return progress.listed && progress.released == progress.jobs
                || progress.pageAsked && progress.pageTrouble != null && backlog.fresh() == 0;
    }

    /** Whether its first page is here. */
    public boolean isLoaded() {
        return progress.total != Progress.UNKNOWN;
    }

    /** Whether it holds a slot, but all its files that have been read wait for groups. */
    public boolean isBlocked() {
        return progress.slot && backlog.isHeldByGroups() && !backlog.hasReadyFresh();
    }

    /** Counts it in its pool as blocked, or as not; to be called whenever that may have changed. */
    public void countIfBlocked() {
        boolean now = isBlocked();
        if (now != blocked) {
            blocked = now;
            pool.blocked += now ? 1 : -1;
            if (!pool.waiting.isEmpty() && pool.blocked == pool.active.size()) {
                lane.agenda.fill(pool);
            }
        }
    }

    /** The rank by which it is admitted: what it was given, and one more for each time that it has waited for one. */
    public double agedRank() {
        double aged = (lane.now() - admissionKey)
                / lane.options.admission().waitPerRank().toMillis();
        // A clock that was set back may show a time before it came.
        return Math.max(Limits.MIN_RANK, Math.min(Limits.MAX_RANK, aged));
    }

    /** The priority of a waiting file: as given, lowered when it has waited too long since it was read or a command was given about it. */
    @Override
    public int priorityNow(long position, int priority) {
        GivenPriority byCommand = given.of(position);
        int own = byCommand == null ? priority : byCommand.priority();
        Integer demoteAfterS = spec().demoteAfterS();
        int lowered = lane.options.rank().demoteTo();
        if (demoteAfterS == null || own >= lowered) {
            return own;
        }
        ChunkRef at = chunkAt(position);
        long read = at == null ? lane.now() : at.since;
        long since = byCommand == null ? read : Math.max(read, byCommand.at());
        return lane.now() - since >= demoteAfterS * 1000L ? lowered : own;
    }

    @Override
    public boolean mayCorrectMore() {
        return pool.corrections.take(lane.agenda.event());
    }

    /** Puts it among the tasks of its pool that have something to start, or takes it out. */
    @Override
    public void readinessChanged() {
        countIfBlocked();
        if (wantsToStart() != isReady()) {
            if (isReady()) {
                pool.policy.remove(this);
            } else {
                pool.policy.add(this);
                lane.agenda.fill(pool);
            }
            // Readers see why it waits.
            lane.agenda.show(this);
        }
    }

    /** It may start less than before: groups get back what was kept for it. */
    public void mayStartLess() {
        readinessChanged();
        backlog.releaseUnusable(lane.now());
    }

    @Override
    public boolean markChanged(boolean isChanged) {
        boolean was = changed;
        changed = isChanged;
        return was;
    }

    @Override
    public void save(Store store) {
        if (gone) {
            store.remove(Tables.PROGRESS, progress.uid);
        } else {
            store.put(Tables.PROGRESS, progress.uid, progress);
        }
    }
}
