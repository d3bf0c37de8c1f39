package dev.weir.scheduler.job;

import dev.weir.protocol.Job;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Route;
import dev.weir.protocol.Task;
import dev.weir.protocol.Texts;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Chunk;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.Progress;
import java.util.ArrayList;
import java.util.List;

/** Makes the message of a job's attempt. */
final class JobMessages {

    /** Bytes; room is left in the 255 of a file system for position, attempt, the pilot's mark and the ending. */
    private static final int LONGEST_STEM = 160;

    private final Lane lane;
    private final FailedJobs failedJobs;

    JobMessages(Lane lane, FailedJobs failedJobs) {
        this.lane = lane;
        this.failedJobs = failedJobs;
    }

    Job of(LiveJob job) {
        JobRecord r = job.record;
        OpenTask task = job.task;
        Task spec = task.spec();
        boolean merge = spec.mode() == Mode.MERGE;
        Chunk inputs = merge ? failedJobs.inputs(r) : null;
        String base = base(task.outputDirectory(), r);
        return new Job(
                r.uid,
                spec.executable(),
                spec.args(),
                r.rank,
                spec.deviceType(),
                spec.mode(),
                r.taskUid,
                task.progress.jobs == Progress.UNKNOWN ? null : Long.valueOf(task.progress.jobs),
                merge ? null : r.inputUrl,
                inputs == null ? List.of() : urls(inputs),
                inputs == null ? List.of() : sizes(inputs),
                merge ? null : r.inputSize,
                merge ? null : r.inputChecksum,
                base.concat(".out"),
                base.concat(".log"),
                r.attempt,
                new Route(lane.number, r.position, r.taskUid).encoded(),
                (int) Math.max(1, lane.options.pilots().lease().toSeconds()),
                timeoutS(lane, spec));
    }

    /** How long the program of a task's job may run. */
    static int timeoutS(Lane lane, Task spec) {
        return spec.timeoutS() == null
                ? (int) lane.options.attempts().jobTimeout().toSeconds()
                : spec.timeoutS();
    }

    private static List<String> urls(Chunk inputs) {
        List<String> urls = new ArrayList<>(inputs.count());
        for (int i = 0; i < inputs.count(); i++) {
            urls.add(inputs.get(i).url());
        }
        return urls;
    }

    /** None unless all are known. */
    private static List<Long> sizes(Chunk inputs) {
        List<Long> sizes = new ArrayList<>(inputs.count());
        for (int i = 0; i < inputs.count(); i++) {
            Long size = inputs.get(i).size();
            if (size == null) {
                return List.of();
            }
            sizes.add(size);
        }
        return sizes;
    }

    /** Where an attempt's output and log go, without their endings: {@code directory/job uid/stem of the input.position.attempt}. */
    private static String base(String directory, JobRecord r) {
        String url = r.inputUrl;
        int from = url.lastIndexOf('/') + 1;
        int dot = url.lastIndexOf('.');
        int to = Texts.endWithin(url, from, dot > from ? dot : url.length(), LONGEST_STEM);
        return new StringBuilder(directory.length() + r.uid.length() + to - from + 24)
                .append(directory)
                .append('/')
                .append(r.uid)
                .append('/')
                .append(url, from, to)
                .append('.')
                .append(r.position)
                .append('.')
                .append(r.attempt)
                .toString();
    }
}
