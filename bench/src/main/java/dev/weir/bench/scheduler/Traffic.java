package dev.weir.bench.scheduler;

import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Mode;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import java.util.ArrayList;
import java.util.List;

/** The messages of WFMS, DSM and pilots in the benchmarks of a job cycle: a hundred tasks with weights from 1 to 100 and endless datasets. */
final class Traffic {

    static final int TASKS = 100;

    /** Number of jobs that are out, and of pilots. */
    static final int WINDOW = 1000;

    private static final long FILES = 1L << 30;
    private static final int LARGEST_PAGE = 5000;

    private final List<FileInfo> files = new ArrayList<>();

    Traffic() {
        for (int i = 0; i < LARGEST_PAGE; i++) {
            files.add(new FileInfo(
                    "run-001234-event-" + i + ".raw",
                    "https://store.example.org/spd",
                    "2026/run-001234",
                    1_000_000L + i,
                    "sha256:" + "0123456789abcdef".repeat(4),
                    null,
                    null,
                    null));
        }
    }

    static Task task(int i) {
        return new Task(
                "task-" + i,
                "reco",
                "{file_in} {file_out}",
                1.0 + i,
                DeviceType.CPU,
                Mode.MAP,
                3,
                "in-" + i,
                "out-" + i,
                "https://store.example.org/out",
                "out-" + i,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    DatasetPage answer(PageRequest request) {
        return new DatasetPage(FILES, files.subList(0, request.limit()));
    }

    /** With a new string for the uid, because reports are read from bytes and do not share strings with the scheduler. */
    static Status starting(String pilot, Job job) {
        return new Status(pilot, "cpu", null, copy(job.uid()), job.attempt(), copy(job.route()), Status.Phase.STARTING);
    }

    static Result finished(String pilot, Job job) {
        return new Result(
                pilot,
                "cpu",
                null,
                copy(job.uid()),
                job.attempt(),
                copy(job.route()),
                Result.Outcome.FINISHED,
                0,
                null,
                null,
                copy(job.fileOutUrl()),
                100L,
                null,
                copy(job.fileLogUrl()),
                10L,
                null,
                null,
                null);
    }

    private static String copy(String text) {
        return new StringBuilder(text).toString();
    }

    static String pilot(long number) {
        return "pilot-" + number % WINDOW;
    }
}
