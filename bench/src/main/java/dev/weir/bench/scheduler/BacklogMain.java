package dev.weir.bench.scheduler;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Task;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Fills a scheduler with waiting files and prints heap in MiB, bytes of state per file, seconds to rebuild the memory, and state in MiB. */
public final class BacklogMain {

    private static final double MIB = 1 << 20;

    private final ArrayDeque<PageRequest> pages = new ArrayDeque<>();
    private final Random random = new Random(1);

    private BacklogMain() {}

    public static void main(String[] arguments) {
        new BacklogMain().run(arguments[0].equals("eager"), Integer.parseInt(arguments[1]));
    }

    private void run(boolean eager, int number) {
        HeapStore store = new HeapStore();
        Scheduler scheduler = new Scheduler(SchedulerOptions.defaults(), store);
        long filesEach = eager ? number : 1_000_000;
        for (int i = 0; i < (eager ? 1 : number); i++) {
            apply(scheduler, new Event.TaskArrived(task(i, eager)));
            while (!pages.isEmpty()) {
                apply(scheduler, answer(pages.remove(), filesEach));
            }
        }
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        double heap = (runtime.totalMemory() - runtime.freeMemory()) / MIB;
        scheduler = new Scheduler(SchedulerOptions.defaults(), store);
        long before = System.nanoTime();
        apply(scheduler, new Event.Tick());
        double seconds = (System.nanoTime() - before) / 1e9;
        double perFile = store.bytes() / (double) (eager ? number : number * 1000);
        System.out.printf(Locale.ROOT, "%.1f %.1f %.2f %.1f%n", heap, perFile, seconds, store.bytes() / MIB);
    }

    private static Task task(int i, boolean eager) {
        return new Task(
                "task-" + i,
                "reco",
                "{file_in} {file_out}",
                5.0,
                DeviceType.CPU,
                Mode.MAP,
                3,
                "in-" + i,
                "out-" + i,
                "https://store.example.org/out",
                "out-" + i,
                null,
                null,
                eager ? Order.RANDOM : null,
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

    private Event answer(PageRequest request, long total) {
        int count = (int) Math.min(request.limit(), total - request.offset());
        List<FileInfo> files = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            files.add(file(request.offset() + i));
        }
        return new Event.PageArrived(
                request.taskUid(),
                request.datasetUid(),
                request.offset(),
                request.limit(),
                new DatasetPage(total, files));
    }

    private FileInfo file(long number) {
        String name = String.format(
                Locale.ROOT,
                "spd-online-filter.real-data.run-%06d.period-2026b.stream-physics.reconstructed.event-block-%012d.%08x.root",
                number / 100_000,
                number,
                random.nextInt());
        StringBuilder checksum = new StringBuilder("sha256:");
        for (int i = 0; i < 8; i++) {
            checksum.append(String.format(Locale.ROOT, "%08x", random.nextInt()));
        }
        return new FileInfo(
                name,
                "https://store.example.org/spd",
                "2026/real/run-" + number / 100_000,
                1_000_000_000L + random.nextInt(1_000_000_000),
                checksum.toString(),
                null,
                null,
                null);
    }

    /** Pages are asked for here; nobody takes the jobs. */
    private void apply(Scheduler scheduler, Event event) {
        for (Effect effect : scheduler.apply(event, 1)) {
            if (effect instanceof Effect.AskPage ask) {
                pages.add(ask.request());
            } else if (effect instanceof Effect.Reject reject) {
                throw new IllegalStateException(reject.reason());
            }
        }
    }
}
