package dev.weir.scheduler.lane;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.protocol.Texts;
import dev.weir.scheduler.Event;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.backlog.Chunk;
import dev.weir.scheduler.backlog.Entry;
import dev.weir.scheduler.options.ReadingOptions;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;

/** Datasets are read page by page, and pages become chunks of state. */
final class Reading {

    /**
     * Files of one chunk value: where chunks are read in order, and where any file may be next. Then a chunk is read for each job, so it
     * is small, but not so small that its overhead of some 90 bytes counts.
     */
    private static final int CHUNK_IN_ORDER = 512;

    private static final int CHUNK_INDEXED = 32;
    /** Bytes of a Merge job's message that are not its inputs or arguments, at most. */
    private static final int OTHER_FIELDS = 32 << 10;

    /** Of an input in a list: its quotes and comma. */
    private static final int AROUND_AN_INPUT = 3;

    private static final int MOST_DOUBLINGS = 16;

    /** Jobs of a task are numbered by an int, and a Merge job that is not full yet must not pass its end. */
    private static final int MOST_FILES = Integer.MAX_VALUE - Limits.MAX_FILES_PER_JOB;

    private final Lane lane;

    Reading(Lane lane) {
        this.lane = lane;
    }

    void makeBacklog(TaskEntry task) {
        boolean indexed = task.p.indexed;
        Order order = indexed ? task.spec().order() : Order.SEQUENTIAL;
        task.backlog = new Backlog(task, order, indexed, lane.groups);
    }

    /** Asks for the next page. */
    void ask(TaskEntry task) {
        Progress p = task.p;
        boolean everything = p.indexed || task.spec().mode() == Mode.MERGE;
        p.pageLimit = everything ? lane.options.reading().pageFiles() : lane.release.chunkFiles(task);
        p.pageAsked = true;
        p.pageTries = 0;
        task.countIfBlocked();
        send(task);
    }

    private void send(TaskEntry task) {
        Progress p = task.p;
        p.pageDeadline = lane.now + pause(p.pageTries);
        lane.wall.set(task.pageTimer, p.pageDeadline);
        lane.effects.page(new PageRequest(p.uid, task.spec().datInUid(), p.readTo, p.pageLimit));
        lane.writes.changed(task);
    }

    private long pause(int tries) {
        ReadingOptions reading = lane.options.reading();
        return Math.min(
                reading.pageTimeoutMax().toMillis(),
                reading.pageTimeout().toMillis() << Math.min(tries, MOST_DOUBLINGS));
    }

    /** The page timer: no answer yet, or the pause after a failure is over. */
    void askAgain(TaskEntry task) {
        Progress p = task.p;
        if (!p.pageAsked || p.stop != Stop.NONE) {
            return;
        }
        p.pageTries++;
        // Also when that is known: it may have got a slot in between.
        trouble(
                task,
                p.pageTrouble != null
                        ? p.pageTrouble
                        : "DSM has not answered the request for files from " + p.readTo + " on");
        send(task);
    }

    private void trouble(TaskEntry task, String reason) {
        task.p.pageTrouble = reason;
        task.pool.dsmIsSilent = true;
        task.countIfBlocked();
        lane.slots.readingEnded(task);
        if (task.p.slot && task.backlog.fresh() == 0) {
            lane.slots.giveBack(task);
        }
        lane.rows.task(task);
    }

    /** A task in order asks for more while one chunk remains; one that chooses among files reads on to the end. */
    void askIfNeeded(TaskEntry task) {
        Progress p = task.p;
        if (!p.slot || p.listed || p.pageAsked || p.stop != Stop.NONE) {
            return;
        }
        if (p.indexed || task.chunks.size() <= 1) {
            ask(task);
        }
    }

    void failed(Event.PageFailed failed) {
        TaskEntry task = expecting(failed.taskUid(), failed.datasetUid(), failed.offset());
        if (task == null) {
            return;
        }
        if (!failed.permanent()) {
            trouble(task, failed.reason());
            long at = lane.now + pause(task.p.pageTries);
            task.p.pageDeadline = at;
            lane.wall.set(task.pageTimer, at);
            lane.writes.changed(task);
            return;
        }
        answered(task);
        if (task.p.total == Progress.UNKNOWN) {
            lane.stops.reject(task, failed.reason());
        } else {
            lane.stops.fail(task, failed.reason());
        }
    }

    private TaskEntry expecting(String taskUid, String datasetUid, long offset) {
        TaskEntry task = lane.tasks.get(taskUid);
        if (task == null
                || !task.p.pageAsked
                || task.p.readTo != offset
                || !task.spec().datInUid().equals(datasetUid)
                || task.p.stop != Stop.NONE) {
            lane.counters.ignored("page");
            return null;
        }
        return task;
    }

    private void answered(TaskEntry task) {
        task.p.pageAsked = false;
        task.p.pageTrouble = null;
        task.pool.dsmIsSilent = false;
        task.countIfBlocked();
        lane.wall.clear(task.pageTimer);
        lane.slots.readingEnded(task);
        lane.writes.changed(task);
    }

    void arrived(Event.PageArrived arrived) {
        TaskEntry task = expecting(arrived.taskUid(), arrived.datasetUid(), arrived.offset());
        if (task == null) {
            return;
        }
        answered(task);
        Progress p = task.p;
        long total = arrived.page().total();
        List<FileInfo> files = arrived.page().data();
        String contradiction = contradiction(p, total, files);
        if (contradiction != null) {
            lane.stops.fail(task, contradiction);
            return;
        }
        take(task, total, files);
        if (task.gone || p.stop != Stop.NONE) {
            return;
        }
        if (p.slot) {
            askIfNeeded(task);
        } else {
            lane.slots.enqueue(task);
        }
        lane.mayStart(task.pool);
        lane.rows.task(task);
    }

    private static String contradiction(Progress p, long total, List<FileInfo> files) {
        if (p.total != Progress.UNKNOWN && p.total != total) {
            return "DSM said that the dataset has " + p.total + " files, and now " + total;
        }
        if (files.isEmpty() && p.readTo < total) {
            return "DSM gave an empty page from " + p.readTo + " on, of " + total + " files";
        }
        if (p.readTo + files.size() > total) {
            return "DSM gave " + files.size() + " files from " + p.readTo + " on, of only " + total;
        }
        if (total > MOST_FILES) {
            return "the dataset has " + total + " files, Weir takes " + MOST_FILES + " at most";
        }
        return null;
    }

    /** Files that came with the task itself. */
    void given(TaskEntry task, List<FileInfo> files) {
        take(task, files.size(), files);
    }

    private void take(TaskEntry task, long total, List<FileInfo> files) {
        Progress p = task.p;
        Task spec = task.spec();
        boolean merge = spec.mode() == Mode.MERGE;
        p.total = total;
        if (!merge) {
            p.jobs = total;
        }
        p.readTo += files.size();
        p.listed = p.readTo == total;
        lane.slots.loaded(task);
        List<Entry> entries = new ArrayList<>(files.size());
        boolean grouped = false;
        for (FileInfo file : files) {
            entries.add(entry(spec, file));
            grouped |= !file.groups().isEmpty();
        }
        if (grouped && !merge && !p.indexed) {
            becomeIndexed(task);
        }
        if (merge) {
            addMergeGroups(task, entries);
        } else {
            int size = p.indexed ? CHUNK_INDEXED : CHUNK_IN_ORDER;
            for (int from = 0; from < entries.size(); from += size) {
                addChunk(task, entries.subList(from, Math.min(entries.size(), from + size)));
            }
        }
        lane.writes.changed(task);
        lane.claims.pageCame(task);
        lane.closure.closeIfDone(task);
    }

    private Entry entry(Task spec, FileInfo file) {
        int priority = file.priority() == null ? Entry.DEFAULT_PRIORITY : file.priority();
        List<String> groups = lane.groups.keys().of(file, spec.groups());
        return new Entry(file.name(), file.storageUrl(), file.path(), file.size(), file.checksum(), priority, groups);
    }

    private void addChunk(TaskEntry task, List<Entry> entries) {
        Progress p = task.p;
        Chunk chunk = Chunk.of(entries, lane.now);
        ChunkMeta meta = new ChunkMeta(p.known, entries.size(), lane.now);
        task.chunks.add(meta);
        lane.writes.put(Tables.CHUNK, Tables.key(p.uid, meta.first), chunk);
        p.known += entries.size();
        index(task, meta, chunk);
    }

    /** Puts the waiting files of a chunk into the index. */
    void index(TaskEntry task, ChunkMeta meta, Chunk chunk) {
        if (task.p.indexed) {
            chunk.forEachKey((i, groups, priority) -> {
                long position = meta.first + i;
                if (task.isReleased(position)) {
                    meta.remaining--;
                } else {
                    task.backlog.add(position, task.priorityNow(position, priority), groups);
                }
            });
        } else {
            long from = Math.max(meta.first, task.p.cursor);
            long waiting = meta.first + meta.positions - from;
            if (task.claims != null) {
                for (long claimed :
                        task.claims.subMap(from, meta.first + meta.positions).keySet()) {
                    waiting -= task.isAdopted(claimed) ? 1 : 0;
                }
            }
            task.backlog.addAtCursor(waiting, task.spec().groups());
        }
    }

    /** A file of a task in order is in groups of its own: from now on files are chosen, and everything is read. */
    private void becomeIndexed(TaskEntry task) {
        task.backlog.dropFresh(lane.now);
        task.p.indexed = true;
        Backlog old = task.backlog;
        makeBacklog(task);
        for (ChunkMeta meta : task.chunks.chunks()) {
            meta.remaining = meta.positions;
            index(task, meta, chunk(task, meta));
        }
        for (LiveJob job : task.live.jobs()) {
            if (job.r.phase == dev.weir.scheduler.state.JobRecord.Phase.DUE) {
                old.removeRetry(job, job.r.groups, lane.now);
                task.backlog.addRetry(job, job.r.groups);
            }
        }
        task.readinessChanged();
    }

    /** A Merge job's files: as many as asked for, and no more than a message can hold. */
    private void addMergeGroups(TaskEntry task, List<Entry> entries) {
        Progress p = task.p;
        Integer asked = task.spec().filesPerJob();
        int most = asked == null ? Limits.MAX_FILES_PER_JOB : asked;
        String openKey = Tables.key(p.uid, p.known);
        Chunk open = lane.writes.get(Tables.CHUNK, openKey);
        List<Entry> group = new ArrayList<>();
        long longest = Limits.MAX_MESSAGE_BYTES
                - OTHER_FIELDS
                - Texts.jsonBytes(task.spec().args());
        long length = 0;
        for (int i = 0; open != null && i < open.count(); i++) {
            group.add(open.get(i));
            length += bytesAsInput(open.get(i));
        }
        for (Entry entry : entries) {
            long more = bytesAsInput(entry);
            if (group.size() == most || !group.isEmpty() && length + more > longest) {
                addMergeGroup(task, group);
                group = new ArrayList<>();
                length = 0;
            }
            group.add(entry);
            length += more;
        }
        if (!group.isEmpty() && (group.size() == most || p.listed)) {
            addMergeGroup(task, group);
        } else if (!group.isEmpty()) {
            lane.writes.put(Tables.CHUNK, Tables.key(p.uid, p.known), Chunk.of(group, lane.now));
        }
        if (p.listed) {
            p.jobs = p.known;
        }
    }

    private static long bytesAsInput(Entry entry) {
        return Texts.jsonBytes(entry.url()) + AROUND_AN_INPUT;
    }

    private void addMergeGroup(TaskEntry task, List<Entry> group) {
        Progress p = task.p;
        ChunkMeta meta = new ChunkMeta(p.known, 1, lane.now);
        task.chunks.add(meta);
        Chunk chunk = Chunk.of(group, lane.now);
        lane.writes.put(Tables.CHUNK, Tables.key(p.uid, meta.first), chunk);
        p.known++;
        index(task, meta, chunk);
    }

    Chunk chunk(TaskEntry task, ChunkMeta meta) {
        if (task.chunkFirst != meta.first) {
            task.chunk = lane.writes.get(Tables.CHUNK, Tables.key(task.p.uid, meta.first));
            task.chunkFirst = meta.first;
        }
        return task.chunk;
    }

    /** Nothing of a chunk waits any more. A Merge chunk stays until its job is over, because attempts read it. */
    void chunkDone(TaskEntry task, ChunkMeta meta) {
        task.chunkGone(meta);
        if (task.chunkFirst == meta.first) {
            task.chunkFirst = -1;
            task.chunk = null;
        }
        if (task.spec().mode() == Mode.MAP) {
            lane.writes.remove(Tables.CHUNK, Tables.key(task.p.uid, meta.first));
        }
        if (!task.p.indexed) {
            askIfNeeded(task);
        }
    }

    /** The task will start nothing any more. */
    void drop(TaskEntry task) {
        task.backlog.dropFresh(lane.now);
        for (ChunkMeta meta : task.chunks.chunks()) {
            lane.writes.remove(Tables.CHUNK, Tables.key(task.p.uid, meta.first));
        }
        lane.writes.remove(Tables.CHUNK, Tables.key(task.p.uid, task.p.known));
        task.allChunksGone();
        task.chunk = null;
        task.chunkFirst = -1;
        task.p.pageAsked = false;
        task.p.pageTrouble = null;
        lane.wall.clear(task.pageTimer);
        lane.slots.readingEnded(task);
    }

    /** For people: what the task waits for while it is {@link TaskState#ACCEPTED}. */
    static String waitingFor(Progress p) {
        return p.pageTrouble == null ? "DSM was asked for files from " + p.readTo + " on" : p.pageTrouble;
    }
}
