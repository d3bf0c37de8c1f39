package dev.weir.gateway.mirror;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** A query that grows by conditions. Values are bound, never part of its text. */
final class Select {

    private final String columns;
    private final List<String> views;
    private final StringBuilder conditions = new StringBuilder();
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** @param views each row is in one of them. Of several, each gives its part of a page along its own index. */
    Select(String columns, String... views) {
        this.columns = columns;
        this.views = List.of(views);
    }

    /** Adds a condition without values. */
    Select and(String condition) {
        conditions.append(conditions.isEmpty() ? " WHERE " : " AND ").append(condition);
        return this;
    }

    /** Adds a condition with one value, unless that is null. */
    Select and(String condition, String name, Object value) {
        if (value != null) {
            values.put(name, value);
            and(condition);
        }
        return this;
    }

    /** Those whose column begins with the text, which costs as many rows as the view has. */
    Select beginning(String column, String prefix) {
        return and(column + " LIKE :prefix", "prefix", prefix == null ? null : literally(prefix) + "%");
    }

    /** Those whose column has the text somewhere, which costs as many rows as the other conditions leave. */
    Select containing(String column, String text) {
        return and(column + " LIKE :text", "text", text == null ? null : "%" + literally(text) + "%");
    }

    private static String literally(String text) {
        return text.replaceAll("([\\\\%_])", "\\\\$1");
    }

    /** Those whose uid begins with the text, a uid itself, along an index for patterns: no letter of a uid is behind z. */
    Select uidBeginning(String column, String prefix) {
        if (prefix == null) {
            return this;
        }
        values.put("end", prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1));
        return and(column + " ~>=~ :begin", "begin", prefix).and(column + " ~<~ :end");
    }

    /** The limit is in the text: a plan that holds for all values must know it, or it sorts all rows. */
    List<Map<String, Object>> list(Handle handle, String order, int limit) {
        String end = " ORDER BY " + order + " LIMIT " + limit;
        String text = views.size() == 1
                ? from(views.get(0)) + end
                : views.stream().map(view -> "(" + from(view) + end + ")").collect(Collectors.joining(" UNION ALL "))
                        + end;
        return rows(handle, text);
    }

    /** One row for each value of the column. */
    List<Map<String, Object>> listGrouped(Handle handle, String by) {
        return rows(handle, from(views.get(0)) + " GROUP BY " + by + " ORDER BY " + by);
    }

    private String from(String view) {
        return "SELECT " + columns + " FROM " + view + conditions;
    }

    private List<Map<String, Object>> rows(Handle handle, String text) {
        Query query = handle.createQuery(text);
        values.forEach(query::bind);
        return query.map((row, context) -> Rows.object(row)).list();
    }
}
