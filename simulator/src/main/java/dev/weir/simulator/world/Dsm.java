package dev.weir.simulator.world;

import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.PageRequest;
import dev.weir.scheduler.api.Event;
import dev.weir.simulator.scenario.DatasetPlan;
import dev.weir.simulator.scenario.DatasetPlan.Quirk;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.Rand;
import java.util.List;
import java.util.function.Consumer;

/** DSM as Weir's reader sees it: pages of datasets, late or not at all, and datasets with something wrong about them. */
final class Dsm {

    private final World world;
    private final Rand rand;

    Dsm(World world) {
        this.world = world;
        this.rand = Rand.of(world.scenario().seed(), "dsm");
    }

    /** Answers some time. */
    void read(PageRequest ask, Consumer<Event> answer) {
        long delay = rand.between(1L, 10L * world.scenario().latencyMillis());
        if (world.strikes(Fault.DSM_FAILURE, rand, 0.15)) {
            delay = rand.between(100L, 60_000L);
        }
        boolean fails = world.strikes(Fault.DSM_FAILURE, rand, 0.25);
        Event event = fails ? failed(ask, false, "DSM answered 503") : answer(ask);
        world.time().after(delay, () -> answer.accept(event));
    }

    private Event answer(PageRequest ask) {
        DatasetPlan dataset = world.scenario().datasets().get(ask.datasetUid());
        if (dataset == null || dataset.quirk() == Quirk.MISSING) {
            return failed(ask, true, "DSM has no dataset " + ask.datasetUid() + " (404)");
        }
        List<FileInfo> files = dataset.files();
        int from = (int) Math.min(ask.offset(), files.size());
        return switch (dataset.quirk()) {
            case GARBAGE -> failed(ask, true, "DSM's answer is not JSON");
            case CHANGED_TOTAL -> page(ask, files.size() + (ask.offset() == 0 ? 0 : 1), from, ask.limit(), files);
            case EMPTY_PAGE -> page(ask, files.size() + 5, from, ask.limit(), files);
            case WHOLE -> page(ask, files.size(), from, Integer.MAX_VALUE, files);
            case SHORT_PAGES -> page(ask, files.size(), from, Math.max(1, ask.limit() / 2), files);
            default -> page(ask, files.size(), from, ask.limit(), files);
        };
    }

    private static Event page(PageRequest ask, int total, int from, int limit, List<FileInfo> files) {
        int to = (int) Math.min((long) from + limit, files.size());
        return new Event.PageArrived(
                ask.taskUid(),
                ask.datasetUid(),
                ask.offset(),
                ask.limit(),
                new DatasetPage((long) total, files.subList(from, to)));
    }

    private static Event failed(PageRequest ask, boolean permanent, String reason) {
        return new Event.PageFailed(ask.taskUid(), ask.datasetUid(), ask.offset(), ask.limit(), permanent, reason);
    }
}
