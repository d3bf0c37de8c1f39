package dev.weir.scheduler.task;

import dev.weir.protocol.Limits;
import dev.weir.protocol.Texts;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.state.Chunk;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingFile;
import java.util.ArrayList;
import java.util.List;

/** Groups the files of a Merge task into jobs: as many to a job as asked for, and no more than a message can hold. */
final class MergeGroups {

    /** Bytes of a Merge job's message that are not its inputs or arguments, at most. */
    private static final int OTHER_FIELDS = 32 << 10;
    /** Of an input in its lists: quotes and comma, and its size with a comma. */
    private static final int AROUND_AN_INPUT = 3 + 20;

    private final Lane lane;
    private final WaitingFiles files;

    MergeGroups(Lane lane, WaitingFiles files) {
        this.lane = lane;
        this.files = files;
    }

    /** Adds the files of a page. The last group waits in state until it is full or all files are listed. */
    void add(OpenTask task, List<WaitingFile> page) {
        Progress p = task.progress;
        Integer asked = task.spec().filesPerJob();
        int most = asked == null ? Limits.MAX_FILES_PER_JOB : asked;
        long longest = Limits.MAX_MESSAGE_BYTES
                - OTHER_FIELDS
                - Texts.jsonBytes(task.spec().args());
        Chunk open = lane.work.get(Tables.CHUNK, Tables.key(p.uid, p.known));
        List<WaitingFile> group = new ArrayList<>();
        long length = 0;
        for (int i = 0; open != null && i < open.count(); i++) {
            group.add(open.get(i));
            length += bytesAsInput(open.get(i));
        }
        for (WaitingFile file : page) {
            long more = bytesAsInput(file);
            if (group.size() == most || !group.isEmpty() && length + more > longest) {
                files.add(task, Chunk.of(group, lane.now()), 1);
                group = new ArrayList<>();
                length = 0;
            }
            group.add(file);
            length += more;
        }
        if (!group.isEmpty() && (group.size() == most || p.listed)) {
            files.add(task, Chunk.of(group, lane.now()), 1);
        } else if (!group.isEmpty()) {
            lane.work.put(Tables.CHUNK, Tables.key(p.uid, p.known), Chunk.of(group, lane.now()));
        }
        if (p.listed) {
            p.jobs = p.known;
        }
    }

    private static long bytesAsInput(WaitingFile file) {
        return Texts.jsonBytes(file.url()) + AROUND_AN_INPUT;
    }
}
