package dev.weir.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one benchmark.
 *
 * @param failure the reason of a failure, without rows; empty after a success
 */
record Outcome(
        String name,
        List<Row> rows,
        List<Path> figures,
        Map<String, Object> notes,
        double seconds,
        Optional<String> failure) {

    /** The JSON that is written to disk and, without the notes, to standard output. */
    Map<String, Object> toJson(boolean withNotes) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("seconds", seconds);
        failure.ifPresent(reason -> json.put("failure", reason));
        json.put("rows", rows.stream().map(Outcome::toJson).toList());
        json.put("figures", figures.stream().map(Path::toString).toList());
        if (withNotes) {
            json.put("notes", notes);
        }
        return json;
    }

    private static Map<String, Object> toJson(Row row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("what", row.what());
        json.put("measured", row.measured());
        json.put("unit", row.unit());
        row.goal().ifPresent(goal -> {
            json.put("goal", goal.direction().sign() + " " + goal.bound());
            json.put("verdict", row.verdict());
        });
        return json;
    }

    long count(String verdict) {
        return rows.stream().filter(row -> row.verdict().equals(verdict)).count();
    }
}
