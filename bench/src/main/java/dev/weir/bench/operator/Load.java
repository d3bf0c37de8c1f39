package dev.weir.bench.operator;

import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Task;
import java.util.ArrayList;
import java.util.List;

/**
 * The load of a run.
 *
 * @param groups 0: a hundred tasks with weights from 1 to 100, in order, over endless datasets. Otherwise: one task over a million
 *     files in random order, spread over this number of networks
 */
record Load(int groups) {

    /** Number of jobs that are out. */
    static final int WINDOW = 1000;

    static final int FILES = 1_000_000;

    private static final long ENDLESS = 1L << 30;
    private static final int TASKS = 100;

    boolean isLimited() {
        return groups > 0;
    }

    /** The limit of each network: twice its share of the window, and at least two jobs. */
    int maxInFlight() {
        return Math.max(2, WINDOW / groups * 2);
    }

    List<Task> tasks() {
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < (isLimited() ? 1 : TASKS); i++) {
            tasks.add(task(i));
        }
        return tasks;
    }

    private Task task(int i) {
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
                isLimited() ? Order.RANDOM : null,
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

    /** DSM's answer. For endless datasets it depends on the limit alone. */
    DatasetPage page(PageRequest request) {
        List<FileInfo> files = new ArrayList<>();
        long total = isLimited() ? FILES : ENDLESS;
        for (long i = 0; i < Math.min(request.limit(), total - request.offset()); i++) {
            files.add(file(isLimited() ? request.offset() + i : i));
        }
        return new DatasetPage(total, files);
    }

    private FileInfo file(long number) {
        String host = "store.example.org";
        if (isLimited()) {
            long network = number % groups;
            host = (1 + (network >> 16)) + "." + (network >> 8 & 255) + '.' + (network & 255) + ".1";
        }
        return new FileInfo(
                "run-001234-event-" + number + ".raw",
                "https://" + host + "/spd",
                "2026/run-001234",
                1_000_000L + number,
                "sha256:" + "0123456789abcdef".repeat(4),
                null,
                null,
                null);
    }
}
