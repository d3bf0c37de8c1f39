package dev.weir.dsm.catalogue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which URL a storage id stands for. An id that is a URL stands for itself. */
public final class Storages {

    private final Catalogue catalogue;

    public Storages(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** Adds a storage, or moves one: what was registered before keeps the URL that it had then. */
    public void put(String id, String url) throws SQLException {
        catalogue.transact(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO storage (id, url) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET url = excluded.url")) {
                insert.setString(1, id);
                insert.setString(2, url);
                return insert.executeUpdate();
            }
        });
    }

    public Optional<String> url(String id) throws SQLException {
        return catalogue.transact(
                connection -> Optional.ofNullable(urls(connection, Set.of(id)).get(id)));
    }

    /** The URLs of those ids that are known. */
    static Map<String, String> urls(Connection connection, Collection<String> ids) throws SQLException {
        Map<String, String> urls = new HashMap<>();
        for (String id : ids) {
            if (id.contains("://")) {
                urls.put(id, id);
            }
        }
        try (PreparedStatement select = connection.prepareStatement("SELECT id, url FROM storage WHERE id = ANY (?)")) {
            select.setArray(1, connection.createArrayOf("text", ids.toArray()));
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    urls.put(row.getString(1), row.getString(2));
                }
            }
        }
        return urls;
    }
}
