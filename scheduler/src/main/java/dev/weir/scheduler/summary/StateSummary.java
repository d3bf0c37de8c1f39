package dev.weir.scheduler.summary;

import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.Table;
import dev.weir.engine.summary.GroupSummary;
import dev.weir.engine.summary.LaneSums;
import dev.weir.engine.summary.TableSums;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.PoolRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.summary.LaneSummary.OfPool;
import dev.weir.scheduler.summary.LaneSummary.OfTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Sums up the tables of a lane, entry by entry. It keeps a record for each task, pool and limited group; of files and jobs it keeps
 * counts only, so a state of many millions of files needs no memory. Not safe for use by several threads.
 */
public final class StateSummary implements LaneSums<LaneSummary> {

    private final List<Progress> tasks = new ArrayList<>();
    private final Map<String, String> aside = new TreeMap<>();
    private final Map<String, PoolRecord> orders = new TreeMap<>();
    private final Map<String, long[]> out = new TreeMap<>();
    private final Map<String, GroupSummary> groups = new TreeMap<>();
    private final TableSums tables = new TableSums();

    @Override
    public <V> void add(Table<V> table, String key, byte[] bytes) {
        Optional<V> read = tables.decode(table, key, bytes);
        if (read.isEmpty()) {
            return;
        }
        V value = read.get();
        if (value instanceof Progress progress) {
            tasks.add(progress);
        } else if (value instanceof JobRecord job) {
            add(job);
        } else if (value instanceof PoolRecord pool) {
            orders.put(key, pool);
        } else if (value instanceof GroupRecord group && group.limit() != null) {
            groups.put(key, GroupSummary.of(key, group.limit()));
        } else if (table.equals(Tables.ASIDE)) {
            aside.put(key, (String) value);
        }
    }

    private void add(JobRecord job) {
        int column = switch (job.phase) {
            case QUEUED -> 0;
            case STARTING, RUNNING -> 1;
            case COOLING, DUE -> 2;
            case FAILED, KILLED, GHOST -> -1;
        };
        if (column >= 0) {
            out.computeIfAbsent(job.pool, name -> new long[3])[column]++;
        }
    }

    @Override
    public LaneSummary of(int lane) {
        tasks.sort(Comparator.comparingLong(task -> task.arrival));
        Map<String, TableSums.Size> sizes = tables.sizes();
        TableSums.Size pilots = sizes.get(Tables.PILOT.name());
        return new LaneSummary(
                lane,
                tasks.stream().map(this::task).toList(),
                pools(),
                List.copyOf(groups.values()),
                pilots == null ? 0 : pilots.entries(),
                sizes,
                tables.damaged());
    }

    private OfTask task(Progress task) {
        String asideFor = aside.get(task.uid);
        String state;
        if (asideFor != null) {
            state = "aside";
        } else if (task.closing) {
            state = "closing";
        } else if (task.stop != Progress.Stop.NONE) {
            state = "ending";
        } else if (task.paused) {
            state = "paused";
        } else {
            // Without fresh files it needs no slot: its further attempts go on.
            state = task.slot || task.exhausted() ? "active" : "waiting";
        }
        return new OfTask(
                task.uid,
                task.pool,
                state,
                asideFor == null ? task.stopReason : asideFor,
                task.rank,
                task.total == Progress.UNKNOWN ? null : Long.valueOf(task.total),
                task.readTo,
                task.cursor,
                task.counts());
    }

    private List<OfPool> pools() {
        Map<String, OfPool> pools = new TreeMap<>();
        orders.forEach((name, order) -> pools.put(name, pool(name, order.use(), new long[3])));
        out.forEach((name, counts) -> pools.put(
                name, pool(name, orders.getOrDefault(name, PoolRecord.NONE).use(), counts)));
        return List.copyOf(pools.values());
    }

    private static OfPool pool(String name, PoolRecord.Use use, long[] counts) {
        return new OfPool(name, use.name().toLowerCase(Locale.ROOT), counts[0], counts[1], counts[2]);
    }
}
