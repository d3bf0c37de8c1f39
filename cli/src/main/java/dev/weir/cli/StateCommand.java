package dev.weir.cli;

import dev.weir.cli.console.JsonLine;
import dev.weir.cli.console.Table;
import dev.weir.cli.savepoint.SavedState;
import dev.weir.protocol.JobCounts;
import dev.weir.scheduler.summary.LaneSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./weir state}: what is in a savepoint. */
@Command(
        name = "state",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows what is in a savepoint or checkpoint of the schedule job: open tasks, how far they were read and started, jobs that are"
                    + " out, limits that were given by command, and the sizes of all tables. Nothing is changed.",
            "",
            "It reads all of the state, which takes some seconds, and minutes for many millions of files."
        },
        footer = {"", "Example: ./weir state data/cluster/checkpoints/schedule/savepoint-4f2a-1c"})
final class StateCommand implements Callable<Integer> {

    @Parameters(paramLabel = "SAVEPOINT", description = "Its directory, or its URI on other storage.")
    private String savepoint;

    @Option(names = "--json", description = "Print it as one line of JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<LaneSummary> lanes = SavedState.read(savepoint);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonLine.print(out, Map.of("savepoint", savepoint, "lanes", lanes));
        } else {
            lanes.forEach(lane -> print(out, lane));
            if (lanes.isEmpty()) {
                out.println("It holds no lane: the job had received nothing.");
            }
            out.flush();
        }
        return 0;
    }

    private static void print(PrintWriter out, LaneSummary lane) {
        out.println(
                "Lane " + lane.lane() + ": " + lane.tasks().size() + " open tasks, " + lane.pilots() + " known pilots");
        print(out, tasks(lane), lane.tasks());
        print(out, pools(lane), lane.pools());
        print(out, groups(lane), lane.groups());
        Table tables = new Table("table", "#entries", "#bytes");
        lane.tables()
                .forEach(
                        (name, size) -> tables.row(name, String.valueOf(size.entries()), String.valueOf(size.bytes())));
        print(out, tables, lane.tables().entrySet());
        if (!lane.damaged().isEmpty()) {
            out.println();
            out.println("Values that cannot be decoded:");
            lane.damaged().forEach(out::println);
        }
    }

    private static void print(PrintWriter out, Table table, java.util.Collection<?> rows) {
        if (!rows.isEmpty()) {
            out.println();
            table.lines().forEach(out::println);
        }
    }

    private static Table tasks(LaneSummary lane) {
        Table table = new Table(
                "task",
                "pool",
                "state",
                "#rank",
                "#files",
                "#read to",
                "#next",
                "#out",
                "#finished",
                "#failed",
                "reason");
        for (LaneSummary.OfTask task : lane.tasks()) {
            JobCounts counts = task.counts();
            table.row(
                    task.uid(),
                    task.pool(),
                    task.state(),
                    String.format("%.1f", task.rank()),
                    task.datasetFiles() == null ? "-" : task.datasetFiles().toString(),
                    String.valueOf(task.readTo()),
                    String.valueOf(task.cursor()),
                    String.valueOf(counts.queued() + counts.starting() + counts.running()),
                    String.valueOf(counts.finished()),
                    String.valueOf(counts.failed()),
                    task.reason() == null ? "" : task.reason());
        }
        return table;
    }

    private static Table pools(LaneSummary lane) {
        Table table = new Table("pool", "use", "#queued", "#running", "#cooling");
        for (LaneSummary.OfPool pool : lane.pools()) {
            table.row(
                    pool.name(),
                    pool.use(),
                    String.valueOf(pool.queued()),
                    String.valueOf(pool.running()),
                    String.valueOf(pool.cooling()));
        }
        return table;
    }

    private static Table groups(LaneSummary lane) {
        Table table = new Table("group", "#max in flight", "#max starts", "#window (s)");
        for (LaneSummary.OfGroup group : lane.groups()) {
            table.row(
                    group.name(),
                    orDash(group.maxInFlight()),
                    orDash(group.maxStarts()),
                    orDash(group.windowSeconds()));
        }
        return table;
    }

    private static String orDash(Object value) {
        return value == null ? "-" : value.toString();
    }
}
