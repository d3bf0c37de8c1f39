package dev.weir.protocol.schema;

import dev.weir.protocol.schema.LimitWords.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A table for each message, and for each record that messages have inside: fields with the same limit share a row. */
final class LimitTables {

    /** What tells the kinds of a message or record apart; it has the values of all kinds. */
    private static final Set<String> KINDS = Set.of("type", "table");

    private record Table(String caption, Map<String, Map<Words, Set<String>>> fields) {}

    private final LimitWords words = new LimitWords();
    /** By name of the message or record. */
    private final Map<String, Table> tables = new LinkedHashMap<>();

    private LimitTables() {}

    static String markdown() {
        LimitTables tables = new LimitTables();
        Fields.all().stream()
                .collect(Collectors.groupingBy(Fields.Field::example, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(tables::addAll);
        return tables.tables.values().stream().map(LimitTables::shown).collect(Collectors.joining("\n"));
    }

    /** The fields of one example. */
    private void addAll(List<Fields.Field> fields) {
        Set<List<String>> said = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            // An alternative only narrows what the message itself has.
            if (said.add(fields.get(i).steps())) {
                // The elements of a list come right behind it.
                add(fields, fields.get(i), i + 1 < fields.size() ? fields.get(i + 1) : null);
            }
        }
    }

    private void add(List<Fields.Field> all, Fields.Field field, Fields.Field next) {
        String record = LimitWords.record(field);
        if (field.steps().isEmpty()) {
            table(field.example().schema(), field.parts().get(0).get("title").asText());
            return;
        }
        if (record != null) {
            table(record, record + LimitWords.about(field));
        }
        if (field.isElement() || field.isInline()) {
            return;
        }
        Fields.Field owner = owner(all, field);
        String table = owner.steps().isEmpty() ? field.example().schema() : LimitWords.record(owner);
        String name = String.join(
                ".", field.steps().subList(owner.steps().size(), field.steps().size()));
        String kind = owner.example().kind(owner.steps());
        tables.get(table)
                .fields
                .computeIfAbsent(name, any -> new LinkedHashMap<>())
                .computeIfAbsent(words.of(field, next), any -> new LinkedHashSet<>())
                .add(kind);
    }

    private void table(String name, String caption) {
        tables.computeIfAbsent(name, any -> new Table(caption, new LinkedHashMap<>()));
    }

    /** The message or named record that the field belongs to. */
    private static Fields.Field owner(List<Fields.Field> all, Fields.Field field) {
        Predicate<Fields.Field> isAround = other -> other.steps().size()
                        < field.steps().size()
                && other.steps().equals(field.steps().subList(0, other.steps().size()))
                && (other.steps().isEmpty() || LimitWords.record(other) != null);
        return all.stream().filter(isAround).reduce((outer, inner) -> inner).orElseThrow();
    }

    private static String shown(Table table) {
        Map<Words, List<String>> rows = new LinkedHashMap<>();
        table.fields.forEach((name, limits) -> {
            if (KINDS.contains(name)) {
                Words all = limits.keySet().stream().reduce(Words::and).orElseThrow();
                rows.computeIfAbsent(all, any -> new ArrayList<>()).add("`" + name + "`");
                return;
            }
            limits.forEach((limit, kinds) -> rows.computeIfAbsent(limit, any -> new ArrayList<>())
                    .add("`" + name + "`" + (limits.size() == 1 ? "" : " of " + String.join(", ", kinds))));
        });
        return "**" + table.caption + "**\n\n| fields | type | limit |\n|---|---|---|\n"
                + rows.entrySet().stream()
                        .map(row -> "| " + String.join(", ", row.getValue()) + " | "
                                + row.getKey().type() + " | " + row.getKey().limit() + " |\n")
                        .collect(Collectors.joining());
    }
}
