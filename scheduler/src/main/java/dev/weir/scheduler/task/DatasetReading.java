package dev.weir.scheduler.task;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.job.TaskRank;
import dev.weir.scheduler.model.ChunkRef;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.options.ReadingOptions;
import dev.weir.scheduler.state.Chunk;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.WaitingFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Datasets are read page by page, and pages become chunks of state. */
public final class DatasetReading {

    /**
     * Files of one chunk value: where chunks are read in order, and where any file may be next. Then a chunk is read for each job, so it
     * is small, but not so small that its overhead of some 90 bytes counts.
     */
    private static final int CHUNK_IN_ORDER = 512;

    private static final int CHUNK_INDEXED = 32;

    private static final int MOST_DOUBLINGS = 16;
    private static final long FIRST_PAUSE_MILLIS = 1_000;
    /** Pages for which there was no room are asked for again at this distance. */
    private static final long CROWDED_EVERY_MILLIS = 1_000;
    /** Jobs of a task are numbered by an int, and a Merge job that is not full yet must not pass its end. */
    private static final int MOST_FILES = Integer.MAX_VALUE - Limits.MAX_FILES_PER_JOB;

    private final Lane lane;
    private final Admission admission;
    private final EarlyStop stops;
    private final TaskRank ranks;
    private final WaitingFiles files;
    private final MergeGroups mergeGroups;
    /** When the last page is asked for again for which there was no room, in milliseconds since 1970. */
    private long nextCrowdedAt;

    public DatasetReading(Lane lane, Admission admission, EarlyStop stops, TaskRank ranks, WaitingFiles files) {
        this.lane = lane;
        this.admission = admission;
        this.stops = stops;
        this.ranks = ranks;
        this.files = files;
        mergeGroups = new MergeGroups(lane, files);
    }

    /**
     * At the end of an event: asks for the next page if the task needs it. A task in order asks for more while one chunk remains; a task
     * that chooses among its files reads on to the end.
     */
    public void settle(OpenTask task) {
        Progress p = task.progress;
        boolean wanted = task.reading || p.slot && (p.indexed || task.chunks.size() <= 1);
        if (wanted && !p.listed && !p.pageAsked && p.stop == Stop.NONE) {
            boolean everything = p.indexed || task.spec().mode() == Mode.MERGE;
            p.pageLimit = everything
                    ? lane.options.reading().pageFiles()
                    : Math.min(ReadingOptions.MOST_PAGE_FILES, ranks.chunkFiles(task));
            p.pageAsked = true;
            p.pageTries = 0;
            task.countIfBlocked();
            ask(task);
        }
    }

    private void ask(OpenTask task) {
        Progress p = task.progress;
        askAgainAt(task, latestDeadline(p));
        lane.effects.add(new Effect.AskPage(new PageRequest(p.uid, task.spec().datInUid(), p.readTo, p.pageLimit)));
    }

    private void askAgainAt(OpenTask task, long at) {
        task.progress.pageDeadline = at;
        lane.timers.set(task.pageTimer, at);
        lane.changed(task);
    }

    /** DSM could not be asked, or has answered with an error of its own: it may be back soon. */
    private void waitAfterFailure(OpenTask task) {
        Progress p = task.progress;
        long pause = Math.min(
                lane.options.reading().pageTimeout().toMillis(),
                FIRST_PAUSE_MILLIS << Math.min(p.pageTries, MOST_DOUBLINGS));
        askAgainAt(task, lane.now() + pause);
    }

    private long latestDeadline(Progress p) {
        ReadingOptions reading = lane.options.reading();
        return lane.now()
                + Math.min(
                        reading.pageTimeoutMax().toMillis(),
                        reading.pageTimeout().toMillis() << Math.min(p.pageTries, MOST_DOUBLINGS));
    }

    /** After a restore: a clock that was ahead makes the task wait for no page for longer than it may. */
    public void setBack(OpenTask task) {
        long latest = latestDeadline(task.progress);
        if (task.progress.pageDeadline > latest) {
            task.progress.pageDeadline = latest;
            lane.work.changed(task);
        }
    }

    /** The page timer is due: no answer yet, or the pause after a failure is over. */
    public void askAgain(OpenTask task) {
        Progress p = task.progress;
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
        ask(task);
    }

    /** The page does not come for now: the task leaves its slot to others, unless it has files left. */
    private void trouble(OpenTask task, String reason) {
        task.progress.pageTrouble = reason;
        if (!task.pool.dsmIsSilent) {
            task.pool.dsmIsSilent = true;
            // Tasks that have been read may pass the ones that wait for DSM.
            lane.agenda.fill(task.pool);
        }
        task.countIfBlocked();
        admission.readingEnded(task);
        lane.changed(task);
    }

    /** DSM did not answer a request. */
    public void failed(Event.PageFailed failed) {
        OpenTask task = expecting(failed.taskUid(), failed.datasetUid(), failed.offset());
        if (task == null) {
            return;
        }
        if (!failed.permanent()) {
            trouble(task, failed.reason());
            waitAfterFailure(task);
            return;
        }
        answered(task);
        if (task.isLoaded()) {
            fail(task, failed.reason());
        } else {
            stops.reject(task, failed.reason());
        }
    }

    private void fail(OpenTask task, String reason) {
        task.failure = reason;
        lane.agenda.settle(task);
    }

    private OpenTask expecting(String taskUid, String datasetUid, long offset) {
        OpenTask task = lane.tasks.get(taskUid);
        if (task == null
                || !task.progress.pageAsked
                || task.progress.readTo != offset
                || !task.spec().datInUid().equals(datasetUid)
                || task.progress.stop != Stop.NONE) {
            lane.counters.ignored("page");
            return null;
        }
        return task;
    }

    private void answered(OpenTask task) {
        task.progress.pageAsked = false;
        task.progress.pageTrouble = null;
        task.pool.dsmIsSilent = false;
        task.countIfBlocked();
        lane.timers.clear(task.pageTimer);
        admission.readingEnded(task);
        lane.changed(task);
    }

    /** DSM answered a request. */
    public void arrived(Event.PageArrived arrived) {
        OpenTask task = expecting(arrived.taskUid(), arrived.datasetUid(), arrived.offset());
        if (task == null) {
            return;
        }
        long total = arrived.page().total();
        List<FileInfo> page = arrived.page().data();
        String crowd = crowd(task.spec(), task.progress.indexed, page);
        if (crowd != null && !isTooLarge(task.spec(), page)) {
            crowded(task, crowd);
            return;
        }
        answered(task);
        if (crowd != null) {
            fail(task, crowd);
            return;
        }
        String contradiction = contradiction(task.progress, total, page);
        if (contradiction != null) {
            fail(task, contradiction);
            return;
        }
        take(task, total, page);
        admission.enqueue(task);
        lane.agenda.fill(task.pool);
    }

    /**
     * Why these files cannot be taken for now: they are too many, or in too many groups that are new. Null when they can.
     *
     * @param indexed whether the task chooses among all its files, whatever their groups
     */
    String crowd(Task spec, boolean indexed, List<FileInfo> page) {
        if (spec.mode() == Mode.MERGE) {
            return null;
        }
        if (!lane.groups.hasRoomForFiles(page.size()) && (indexed || isGrouped(page))) {
            return "its next files are more than there is room for: " + lane.groups.mostFiles()
                    + " files can wait of tasks that choose among all theirs (weir.scheduling.max-files-in-memory)";
        }
        int most = page.size();
        for (FileInfo file : page) {
            most += file.groups().size()
                    + spec.groups().size()
                    + lane.options.limits().rules().size();
        }
        if (lane.groups.hasRoomFor(most) || lane.groups.hasRoomFor(lane.groups.needed(groups(spec, page)))) {
            return null;
        }
        return "its next files are in more limit groups than there is room for: there can be " + lane.groups.most()
                + " groups, and as many sets of groups (weir.scheduling.max-groups)";
    }

    private static boolean isGrouped(List<FileInfo> page) {
        return page.stream().anyMatch(file -> !file.groups().isEmpty());
    }

    private List<List<String>> groups(Task spec, List<FileInfo> page) {
        List<List<String>> groups = new ArrayList<>();
        for (FileInfo file : page) {
            groups.add(lane.groups.keys().of(file, spec.groups()));
        }
        return groups;
    }

    /** Whether there would be no room for these files even if there were no others. */
    private boolean isTooLarge(Task spec, List<FileInfo> page) {
        Set<List<String>> sets = new HashSet<>(groups(spec, page));
        Set<String> keys = new HashSet<>();
        sets.forEach(keys::addAll);
        return Math.max(sets.size(), keys.size()) > lane.groups.most() || page.size() > lane.groups.mostFiles();
    }

    /** The page is asked for again later: files that end make room. Soon, so that pilots are not idle, but few at once for DSM's sake. */
    private void crowded(OpenTask task, String reason) {
        task.progress.pageTrouble = reason;
        task.countIfBlocked();
        admission.readingEnded(task);
        long latest = lane.now() + lane.options.reading().pageTimeoutMax().toMillis();
        nextCrowdedAt = Math.min(latest, Math.max(nextCrowdedAt, lane.now()) + CROWDED_EVERY_MILLIS);
        long soonest = lane.now() + lane.options.reading().pageTimeout().toMillis();
        askAgainAt(task, Math.min(latestDeadline(task.progress), Math.max(soonest, nextCrowdedAt)));
        lane.agenda.fill(task.pool);
    }

    private static String contradiction(Progress p, long total, List<FileInfo> page) {
        if (p.total != Progress.UNKNOWN && p.total != total) {
            return "DSM said that the dataset has " + p.total + " files, and now " + total;
        }
        if (page.isEmpty() && p.readTo < total) {
            return "DSM gave an empty page from " + p.readTo + " on, of " + total + " files";
        }
        if (p.readTo + page.size() > total) {
            return "DSM gave " + page.size() + " files from " + p.readTo + " on, of only " + total;
        }
        if (total > MOST_FILES) {
            return "the dataset has " + total + " files, Weir takes " + MOST_FILES + " at most";
        }
        return null;
    }

    /** Files came with the task itself. */
    void given(OpenTask task, List<FileInfo> targets) {
        take(task, targets.size(), targets);
    }

    private void take(OpenTask task, long total, List<FileInfo> page) {
        Progress p = task.progress;
        Task spec = task.spec();
        boolean merge = spec.mode() == Mode.MERGE;
        p.total = total;
        if (!merge) {
            p.jobs = total;
        }
        p.readTo += page.size();
        p.listed = p.readTo == total;
        admission.loaded(task);
        List<WaitingFile> waiting = new ArrayList<>(page.size());
        for (FileInfo file : page) {
            waiting.add(waiting(spec, file));
        }
        if (!merge && !p.indexed && isGrouped(page)) {
            becomeIndexed(task);
        }
        if (merge) {
            mergeGroups.add(task, waiting);
        } else {
            int size = p.indexed ? CHUNK_INDEXED : CHUNK_IN_ORDER;
            for (int from = 0; from < waiting.size(); from += size) {
                List<WaitingFile> some = waiting.subList(from, Math.min(waiting.size(), from + size));
                files.add(task, Chunk.of(some, lane.now()), some.size());
            }
        }
        lane.changed(task);
    }

    private WaitingFile waiting(Task spec, FileInfo file) {
        int priority = file.priority() == null ? WaitingFile.DEFAULT_PRIORITY : file.priority();
        List<String> groups = lane.groups.keys().of(file, spec.groups());
        return new WaitingFile(
                file.name(), file.storageUrl(), file.path(), file.size(), file.checksum(), priority, groups);
    }

    /** A file of a task in order is in groups of its own: from now on files are chosen, and everything is read. */
    private void becomeIndexed(OpenTask task) {
        task.backlog.dropFresh(lane.now());
        task.progress.indexed = true;
        Backlog old = task.backlog;
        task.makeBacklog();
        for (ChunkRef ref : task.chunks.chunks()) {
            ref.remaining = ref.positions;
            files.index(task, ref, files.chunk(task, ref));
        }
        for (LiveJob job : task.live.jobs()) {
            if (job.record.phase == Phase.DUE) {
                old.removeRetry(job, job.record.groups, lane.now());
                task.backlog.addRetry(job, job.record.groups);
            }
        }
        task.readinessChanged();
    }
}
