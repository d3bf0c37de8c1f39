package dev.weir.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The rows of a {@code result.json} as Markdown tables. Rows called {@code subject: aspect} share a line, with a column for each
 * aspect, when another subject has one of these aspects too; any other row has a separate line. A line that has no column in
 * common with the lines before it begins a new table.
 */
final class ResultTable {

    private static final String MEASURED = "measured";
    private static final String SEPARATOR = ": ";

    private final Set<String> columns = new LinkedHashSet<>();
    private final Map<String, Map<String, String>> lines = new LinkedHashMap<>();

    private ResultTable() {}

    /** The machine in a line, and the tables; ends with a line break. */
    static String markdown(JsonNode result) {
        List<ResultTable> tables = new ArrayList<>();
        lines(result.get("rows")).forEach((subject, cells) -> {
            if (tables.isEmpty() || Collections.disjoint(tables.get(tables.size() - 1).columns, cells.keySet())) {
                tables.add(new ResultTable());
            }
            ResultTable table = tables.get(tables.size() - 1);
            table.columns.addAll(cells.keySet());
            table.lines.put(subject, cells);
        });
        return machine(result.get("machine")) + "\n\n"
                + tables.stream().map(ResultTable::markdown).collect(Collectors.joining("\n"));
    }

    private static String machine(JsonNode machine) {
        return "Machine: " + machine.get("cores").asText() + " × "
                + machine.path("cpu").asText("unknown processor") + ", "
                + machine.path("memory").asText("unknown memory") + ", "
                + machine.get("os").asText() + ", " + machine.get("java").asText() + ".";
    }

    /** The cells by column, by subject. */
    private static Map<String, Map<String, String>> lines(JsonNode rows) {
        Map<String, Set<String>> subjectsByAspect = new LinkedHashMap<>();
        Map<String, Set<String>> aspectsBySubject = new LinkedHashMap<>();
        StreamSupport.stream(rows.spliterator(), false).map(ResultTable::what).forEach(what -> {
            subjectsByAspect
                    .computeIfAbsent(aspect(what), name -> new LinkedHashSet<>())
                    .add(subject(what));
            aspectsBySubject
                    .computeIfAbsent(subject(what), name -> new LinkedHashSet<>())
                    .add(aspect(what));
        });
        Map<String, Map<String, String>> lines = new LinkedHashMap<>();
        for (JsonNode row : rows) {
            String what = what(row);
            boolean shared = aspectsBySubject.get(subject(what)).stream()
                    .anyMatch(aspect -> subjectsByAspect.get(aspect).size() > 1);
            lines.computeIfAbsent(shared ? subject(what) : what, name -> new LinkedHashMap<>())
                    .put(shared ? aspect(what) : MEASURED, cell(row));
        }
        return lines;
    }

    private String markdown() {
        StringBuilder text = new StringBuilder("| what |");
        columns.forEach(column -> text.append(' ').append(column).append(" |"));
        text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
        lines.forEach((subject, cells) -> {
            text.append("| ").append(subject).append(" |");
            columns.forEach(column -> text.append(cells.containsKey(column) ? " " + cells.get(column) : "")
                    .append(" |"));
            text.append('\n');
        });
        return text.toString();
    }

    private static String cell(JsonNode row) {
        String unit = row.get("unit").asText();
        String figure = Table.figure(row.get("measured").asDouble(), unit);
        if (!row.has("goal")) {
            return figure;
        }
        String[] goal = row.get("goal").asText().split(" ", 2);
        return figure + " (" + goal[0] + " " + Table.figure(Double.parseDouble(goal[1]), unit) + ", "
                + row.get("verdict").asText() + ")";
    }

    private static String what(JsonNode row) {
        return row.get("what").asText();
    }

    private static String subject(String what) {
        int at = what.indexOf(SEPARATOR);
        return at < 0 ? what : what.substring(0, at);
    }

    private static String aspect(String what) {
        int at = what.indexOf(SEPARATOR);
        return at < 0 ? MEASURED : what.substring(at + SEPARATOR.length());
    }
}
