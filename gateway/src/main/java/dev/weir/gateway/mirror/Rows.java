package dev.weir.gateway.mirror;

import dev.weir.protocol.Urls;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.LinkedHashMap;
import java.util.Map;

/** A row as the object of the contract: columns are fields, NULL is left out, and the jobs_ columns of a task become its counts. */
final class Rows {

    private static final String OF_COUNTS = "jobs_";

    private Rows() {}

    static Map<String, Object> object(ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        Map<String, Object> object = new LinkedHashMap<>();
        Map<String, Object> counts = new LinkedHashMap<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            Object value = row.getObject(i);
            String name = columns.getColumnLabel(i);
            if (value == null) {
                continue;
            }
            if (name.startsWith(OF_COUNTS)) {
                object.putIfAbsent("counts", counts);
                counts.put(name.substring(OF_COUNTS.length()), value);
            } else {
                object.put(name, shown(name, value));
            }
        }
        return object;
    }

    private static Object shown(String name, Object value) {
        if (value instanceof Timestamp time) {
            return time.toInstant();
        }
        // A storage's URL may hold its password.
        return value instanceof String text && name.endsWith("_url") ? Urls.withoutSecrets(text) : value;
    }
}
