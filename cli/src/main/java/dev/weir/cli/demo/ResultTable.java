package dev.weir.cli.demo;

import dev.weir.cli.console.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The demo's result as lines of text: one line per task. */
final class ResultTable {

    private ResultTable() {}

    /** The numbers, at most 80 characters wide with the demo's names, and then the directory of each task's outputs. */
    static List<String> lines(List<Row> rows) {
        Table table = new Table(
                "task", "pool", "#rank", "#files", "#finished", "#failed", "#retries", "#jobs", "#weight", "state");
        rows.forEach(row -> table.row(cells(row)));
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("(jobs: % of the pool while all its tasks had waiting files; weight: expected %)");
        lines.add("");
        int width = rows.stream().mapToInt(row -> name(row).length()).max().orElse(0);
        for (Row row : rows) {
            lines.add(String.format("%-" + (width + 2) + "s%s", name(row), row.outputs()));
        }
        return lines;
    }

    private static String name(Row row) {
        return row.progress().task().name();
    }

    private static String[] cells(Row row) {
        DemoTask task = row.progress().task();
        return new String[] {
            task.name(),
            task.pool(),
            String.valueOf(task.weight()),
            String.valueOf(task.jobs()),
            String.valueOf(row.outcome().finished()),
            String.valueOf(row.outcome().failed()),
            String.valueOf(row.retries()),
            percent(row.jobShare()),
            percent(row.weightShare()),
            row.progress().word()
        };
    }

    private static String percent(Double share) {
        return share == null ? "-" : String.format(Locale.ROOT, "%.1f", share * 100);
    }
}
