package dev.weir.dsm.web;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.weir.dsm.catalogue.Catalogue;
import dev.weir.dsm.catalogue.DatasetStatus;
import dev.weir.dsm.catalogue.Datasets;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import dev.weir.web.Problem;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /dataset/{uid}}: the files as a stream, with or without paging, so that a dataset of any size costs a few
 * thousand rows of memory. An output dataset is given once it is closed and equals its check-list; before, the answer is 503,
 * which makes its readers wait.
 */
final class DatasetPages {

    /** Without a flush after each file, which would make a packet of it. */
    private static final ObjectWriter ENTRY =
            Json.mapper().writerFor(FileInfo.class).without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

    private final Catalogue catalogue;
    private final Supplier<Optional<String>> lag;

    /** @param lag why a dataset that is not in the catalogue may be one all the same; empty when it is none */
    DatasetPages(Catalogue catalogue, Supplier<Optional<String>> lag) {
        this.catalogue = catalogue;
        this.lag = lag;
    }

    void answer(Context http) throws SQLException {
        String uid = http.pathParam("uid");
        String type = choice(http.queryParam("type"));
        long offset = number(http, "offset", 0, 0);
        long limit = number(http, "limit", Long.MAX_VALUE, 1);
        boolean evenOpen = "true".equals(http.queryParam("open"));
        // Before the catalogue is read: what is in it then was sent before.
        Optional<String> behind = lag.get();
        catalogue.transact(connection -> {
            // Total and entries must be of the same moment.
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            }
            DatasetStatus dataset = Datasets.status(connection, uid).orElseThrow(() -> unknown(http, uid, behind));
            if (dataset.state() != DatasetStatus.State.closed && !evenOpen) {
                http.header("Retry-After", "1");
                throw incomplete(dataset);
            }
            write(http, connection, dataset, type, offset, limit);
            return null;
        });
    }

    private static Problem unknown(Context http, String uid, Optional<String> behind) {
        if (behind.isEmpty()) {
            return new Problem(404, "No such dataset", "there is no dataset " + uid);
        }
        http.header("Retry-After", "1");
        return new Problem(
                503, "Registrations are behind", "no dataset " + uid + " is known so far, but " + behind.get());
    }

    /** Temporary also for a mismatch: the registration that is missing may still come, and the dataset closes then. */
    private static Problem incomplete(DatasetStatus dataset) {
        String uid = dataset.uid();
        if (dataset.state() == DatasetStatus.State.open) {
            return new Problem(
                    503,
                    "Dataset is open",
                    "dataset " + uid + " is not closed yet; ask again, or with open=true for what is there");
        }
        return new Problem(
                503,
                "Dataset differs from its check-list",
                "dataset " + uid + " has " + dataset.missing() + " missing and " + dataset.unexpected()
                        + " unexpected names, see /dataset/" + uid
                        + "/status; it is served once they agree, or with open=true as it is");
    }

    private static void write(
            Context http, Connection connection, DatasetStatus dataset, String type, long offset, long limit)
            throws SQLException {
        http.contentType("application/json; charset=utf-8");
        try (JsonGenerator json = Json.mapper().getFactory().createGenerator(http.outputStream())) {
            // On an error the answer must end in the middle, not be completed to something that looks whole.
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            json.writeStartObject();
            json.writeNumberField("total", type.equals("log") ? dataset.logs() : dataset.files());
            json.writeArrayFieldStart("data");
            Datasets.stream(connection, dataset.uid(), type, offset, limit, file -> {
                try {
                    ENTRY.writeValue(json, file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String choice(String type) {
        if (type == null || type.equals("file") || type.equals("log")) {
            return type == null ? "file" : type;
        }
        throw new Problem(400, "Bad query", "type must be file or log, got '" + type + "'");
    }

    private static long number(Context http, String name, long otherwise, long least) {
        String text = http.queryParam(name);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new Problem(400, "Bad query", name + " must be a whole number from " + least + ", got '" + text + "'");
    }
}
