package dev.weir.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The demo's result as lines of text: one line per task, numbers right-aligned. */
final class ResultTable {

    private static final List<String> HEAD =
            List.of("task", "pool", "rank", "files", "finished", "failed", "retries", "jobs", "weight", "state");

    private ResultTable() {}

    /** The numbers, at most 80 characters wide with the demo's names, and then the directory of each task's outputs. */
    static List<String> lines(List<Row> rows) {
        List<String> lines = new ArrayList<>(numbers(rows));
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

    private static List<String> numbers(List<Row> rows) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(HEAD);
        rows.forEach(row -> cells.add(cells(row)));
        int[] widths = new int[HEAD.size()];
        for (List<String> line : cells) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        return cells.stream().map(line -> padded(line, widths)).toList();
    }

    private static List<String> cells(Row row) {
        DemoTask task = row.progress().task();
        return List.of(
                task.name(),
                task.pool(),
                String.valueOf(task.weight()),
                String.valueOf(task.jobs()),
                String.valueOf(row.outcome().finished()),
                String.valueOf(row.outcome().failed()),
                String.valueOf(row.retries()),
                percent(row.jobShare()),
                percent(row.weightShare()),
                row.progress().word());
    }

    private static String percent(Double share) {
        return share == null ? "-" : String.format(Locale.ROOT, "%.1f", share * 100);
    }

    private static String padded(List<String> line, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            boolean isText = i < 2 || i == HEAD.size() - 1;
            String gap = " ".repeat(widths[i] - line.get(i).length());
            text.append(isText ? line.get(i) + gap : gap + line.get(i)).append("  ");
        }
        return text.toString().stripTrailing();
    }
}
