package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Limits;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Result;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A dataset of production size, from its task to its close. */
@Tag("long")
class LargeDatasetTest {

    private static final int FILES = 1_500_000;
    private static final String LONG = "a-name-as-long-as-experiments-give-them-with-run-and-stream-and-version-"
            .repeat(2)
            .substring(0, 92);

    private final Scheduler scheduler = new Scheduler(
            SchedulerOptions.defaults()
                    .withMirror(new MirrorOptions(false, Duration.ofSeconds(1)))
                    .withPool("cpu", PoolOptions.defaults().withWindow(1_000)),
            new HeapStore());
    private final Deque<Event> arriving = new ArrayDeque<>();
    private final BitSet registered = new BitSet(FILES);
    private final BitSet listed = new BitSet(FILES);
    private final List<Integer> parts = new ArrayList<>();
    private int partsInAll;
    private int mostEffects;
    private TaskState state;
    private long now = 1_000_000;

    @Test
    void everyFileIsRegisteredAndListedOnceAndNoEventGrowsWithTheDataset() {
        arriving.add(new Event.TaskArrived(Lab.task("t", "in").build()));
        while (state != TaskState.CLOSED) {
            if (arriving.isEmpty()) {
                now = Math.max(now, scheduler.nextDeadlineMillis());
            }
            Event event = arriving.isEmpty() ? new Event.Tick() : arriving.remove();
            List<Effect> effects = scheduler.apply(event, now);
            mostEffects = Math.max(mostEffects, effects.size());
            effects.forEach(this::done);
        }

        assertThat(registered.cardinality()).isEqualTo(FILES);
        assertThat(listed).isEqualTo(registered);
        assertThat(parts).hasSize(partsInAll).isSorted();
        assertThat(mostEffects).isLessThan(1_100);
    }

    private void done(Effect effect) {
        if (effect instanceof Effect.AskPage ask) {
            arriving.add(page(ask.request()));
        } else if (effect instanceof Effect.SendJob send) {
            arriving.add(new Event.ReportArrived(finished(send.job())));
        } else if (effect instanceof Effect.Register register) {
            registered(register.registration());
        } else if (effect instanceof Effect.Announce announce) {
            state = announce.event().state();
        }
    }

    private static Event page(PageRequest request) {
        List<FileInfo> files = new ArrayList<>();
        for (long i = request.offset(); i < Math.min(FILES, request.offset() + request.limit()); i++) {
            files.add(new FileInfo(
                    LONG + (1_000_000 + i) + ".raw", "file:///store", "in", 1L, null, null, null, List.of()));
        }
        return new Event.PageArrived(
                request.taskUid(),
                request.datasetUid(),
                request.offset(),
                request.limit(),
                new DatasetPage((long) FILES, files));
    }

    private static Result finished(Job job) {
        return new Result(
                "p",
                "cpu",
                null,
                job.uid(),
                job.attempt(),
                job.route(),
                Result.Outcome.FINISHED,
                0,
                null,
                null,
                job.fileOutUrl(),
                1L,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private void registered(Registration registration) {
        if (registration instanceof Registration.Close close) {
            assertThat(close.checkList()).hasSizeLessThanOrEqualTo(Limits.MAX_CHECK_LIST_PART);
            parts.add(close.part());
            partsInAll = close.parts();
            close.checkList().forEach(name -> mark(listed, name));
        } else if (registration instanceof Registration.File file) {
            mark(registered, file.path());
        }
    }

    /** An output's name is that of its input, with position and attempt. */
    private static void mark(BitSet names, String name) {
        int from = name.lastIndexOf(LONG) + LONG.length();
        int index = Integer.parseInt(name, from, name.indexOf('.', from), 10) - 1_000_000;
        assertThat(names.get(index)).as("%s was there before", name).isFalse();
        names.set(index);
    }
}
