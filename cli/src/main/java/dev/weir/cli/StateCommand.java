package dev.weir.cli;

import dev.weir.cli.console.JsonLine;
import dev.weir.cli.console.Table;
import dev.weir.cli.savepoint.SavedState;
import dev.weir.engine.summary.GroupSummary;
import dev.weir.engine.summary.TableSums;
import dev.weir.protocol.JobCounts;
import dev.weir.queues.summary.QueuesSummary;
import dev.weir.scheduler.summary.LaneSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./weir state}: what is in a savepoint. */
@Command(
        name = "state",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows what is in a savepoint or checkpoint of the schedule job: open tasks, how far they were read and started, jobs that are"
                    + " out, limits that were given by command, and the sizes of all tables; or in one of the queues, with --job queues."
                    + " Nothing is changed.",
            "",
            "It reads all of the state, which takes some seconds, and minutes for many millions of files."
        },
        footer = {"", "Example: ./weir state data/cluster/checkpoints/schedule/savepoint-4f2a-1c"})
final class StateCommand implements Callable<Integer> {

    private static final String SCHEDULE = "schedule";
    private static final String QUEUES = "queues";

    @Parameters(paramLabel = "SAVEPOINT", description = "Its directory, or its URI on other storage.")
    private String savepoint;

    @Option(
            names = "--job",
            paramLabel = "NAME",
            defaultValue = SCHEDULE,
            description = "The job that made it: schedule or queues (default: ${DEFAULT-VALUE}).")
    private String job;

    @Option(names = "--json", description = "Print it as one line of JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (job.equals(QUEUES)) {
            show(out, SavedState.queues(savepoint));
        } else if (job.equals(SCHEDULE)) {
            showLanes(out, SavedState.schedule(savepoint));
        } else {
            throw new ParameterException(spec.commandLine(), "--job must be schedule or queues");
        }
        return 0;
    }

    private void show(PrintWriter out, List<QueuesSummary> lanes) throws IOException {
        if (json) {
            JsonLine.print(out, Map.of("savepoint", savepoint, "lanes", lanes));
            return;
        }
        if (lanes.isEmpty()) {
            out.println("It holds no queue: the job had received nothing.");
        }
        for (QueuesSummary lane : lanes) {
            out.println("Queues: " + lane.queues().size());
            print(out, queues(lane), lane.queues());
            print(out, groups(lane.groups()), lane.groups());
            printTables(out, lane.tables(), lane.damaged());
        }
        out.flush();
    }

    private void showLanes(PrintWriter out, List<LaneSummary> lanes) throws IOException {
        if (json) {
            JsonLine.print(out, Map.of("savepoint", savepoint, "lanes", lanes));
        } else {
            lanes.forEach(lane -> print(out, lane));
            if (lanes.isEmpty()) {
                out.println("It holds no lane: the job had received nothing.");
            }
            out.flush();
        }
    }

    private static void print(PrintWriter out, LaneSummary lane) {
        out.println(
                "Lane " + lane.lane() + ": " + lane.tasks().size() + " open tasks, " + lane.pilots() + " known pilots");
        print(out, tasks(lane), lane.tasks());
        print(out, pools(lane), lane.pools());
        print(out, groups(lane.groups()), lane.groups());
        printTables(out, lane.tables(), lane.damaged());
    }

    private static void printTables(PrintWriter out, Map<String, TableSums.Size> sizes, List<String> damaged) {
        Table tables = new Table("table", "#entries", "#bytes");
        sizes.forEach((name, size) -> tables.row(name, String.valueOf(size.entries()), String.valueOf(size.bytes())));
        print(out, tables, sizes.entrySet());
        if (!damaged.isEmpty()) {
            out.println();
            out.println("Values that cannot be decoded:");
            damaged.forEach(out::println);
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

    private static Table queues(QueuesSummary lane) {
        Table table =
                new Table("queue", "use", "#waiting", "#later", "#leased", "#dead", "#resting", "#owners", "#finished");
        for (QueuesSummary.OfQueue queue : lane.queues()) {
            table.row(
                    queue.name(),
                    queue.use(),
                    String.valueOf(queue.waiting()),
                    String.valueOf(queue.later()),
                    String.valueOf(queue.leased()),
                    String.valueOf(queue.dead()),
                    String.valueOf(queue.resting()),
                    String.valueOf(queue.owners()),
                    String.valueOf(queue.finished()));
        }
        return table;
    }

    private static Table groups(List<GroupSummary> groups) {
        Table table = new Table("group", "#max in flight", "#max starts", "#window (s)");
        for (GroupSummary group : groups) {
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
