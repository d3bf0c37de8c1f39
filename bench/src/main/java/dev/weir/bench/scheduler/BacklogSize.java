package dev.weir.bench.scheduler;

import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.ChildJvm;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Heap and state of waiting files, in JVMs with exactly the goal's heap. */
final class BacklogSize {

    private final BenchmarkContext context;

    BacklogSize(BenchmarkContext context) {
        this.context = context;
    }

    List<Row> measure() throws Exception {
        List<Row> rows = new ArrayList<>();
        int files = context.quick() ? 100_000 : 10_000_000;
        context.progress(files + " waiting files, read eagerly");
        String[] eager = run("-Xmx1g", "eager", Integer.toString(files)).split(" ");
        String what = Table.grouped(files) + " files waiting in random order, names of 110 characters, checksums";
        rows.add(Row.atMost(what + ": heap including state", Double.parseDouble(eager[0]), 1024, "MiB"));
        rows.add(Row.atMost(what + ": state", Double.parseDouble(eager[1]), 150, "B/file"));
        rows.add(Row.atMost(what + ": index rebuilt", Double.parseDouble(eager[2]), 60, "s"));
        int tasks = context.quick() ? 50 : 1000;
        context.progress(tasks + " tasks of 1,000,000 files, read lazily");
        String[] lazy = run("-Xmx256m", "lazy", Integer.toString(tasks)).split(" ");
        what = Table.grouped(tasks) + " tasks of 1,000,000 files each, read lazily";
        rows.add(Row.atMost(what + ": heap including state", Double.parseDouble(lazy[0]), 256, "MiB"));
        rows.add(Row.atMost(what + ": state", Double.parseDouble(lazy[3]), 100, "MiB"));
        return rows;
    }

    private static String run(String heap, String... arguments) throws Exception {
        return ChildJvm.run(
                List.of(heap, "-XX:+UseSerialGC"), BacklogMain.class, List.of(arguments), Duration.ofMinutes(10));
    }
}
