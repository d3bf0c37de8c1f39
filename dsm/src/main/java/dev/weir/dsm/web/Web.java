package dev.weir.dsm.web;

import dev.weir.dsm.DatasetSource;
import dev.weir.dsm.catalogue.Catalogue;
import dev.weir.dsm.catalogue.DatasetConflict;
import dev.weir.dsm.catalogue.DatasetStatus;
import dev.weir.dsm.catalogue.Datasets;
import dev.weir.dsm.catalogue.Storages;
import dev.weir.protocol.Urls;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP side. At most 32 threads; requests beyond wait for one. */
public final class Web implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Web.class);
    private static final int MAX_THREADS = 32;

    /** Of a POST, in bytes: some 200,000 files. */
    private static final long MAX_REQUEST_BYTES = 64L << 20;

    private final Datasets datasets;
    private final Storages storages;
    private final DatasetSource source;
    private final DatasetPages pages;
    private final Javalin server;

    private final Supplier<Optional<String>> trouble;

    /**
     * Starts to answer. Port 0 takes a free one.
     *
     * @param readers the catalogue for reading datasets, which lasts as long as the client takes
     * @param lag why registrations that were sent may not be in the catalogue; empty when they are
     * @param trouble what health says; empty when all is well
     */
    public Web(
            String host,
            int port,
            Catalogue catalogue,
            Catalogue readers,
            DatasetSource source,
            Supplier<Optional<String>> lag,
            Supplier<Optional<String>> trouble) {
        this.datasets = new Datasets(catalogue);
        this.storages = new Storages(catalogue);
        this.source = source;
        this.pages = new DatasetPages(readers, lag);
        this.trouble = trouble;
        this.server = Javalin.create(this::configure).start(host, port);
    }

    private void configure(JavalinConfig config) {
        JsonHttp.configure(config, "DSM", MAX_THREADS, MAX_REQUEST_BYTES);
        config.routes.before(Web::refuseBrowsers);
        config.routes.get("/health", this::health);
        config.routes.get("/dataset/{uid}", pages::answer);
        config.routes.get("/dataset/{uid}/status", this::status);
        config.routes.post("/dataset", this::addDataset);
        config.routes.get("/storage/{id}", this::storage);
        config.routes.post("/storage", this::addStorage);
        config.routes.exception(
                DatasetConflict.class,
                (e, http) -> JsonHttp.problem(http, new Problem(409, "Dataset exists", e.getMessage())));
        config.routes.exception(SQLException.class, (e, http) -> {
            if (Catalogue.blamesTheData(e)) {
                JsonHttp.problem(
                        http, new Problem(400, "Bad request", "the catalogue cannot hold this: " + e.getMessage()));
                return;
            }
            LOG.warn("{} {} could not be answered", http.method(), http.path(), e);
            http.header("Retry-After", "1");
            JsonHttp.problem(http, new Problem(503, "Catalogue away", "the catalogue does not answer now; ask again"));
        });
    }

    public int port() {
        return server.port();
    }

    /**
     * A browser lets any web page post a form or plain text to any address without asking, and names the page in Origin. DSM has no
     * pages, so each origin is foreign.
     */
    private static void refuseBrowsers(Context http) {
        if (http.method() != HandlerType.POST) {
            return;
        }
        if (http.header("Origin") != null) {
            throw new Problem(403, "Request of a web page", "requests with the header Origin are refused");
        }
        JsonHttp.requireJson(http);
    }

    private void health(Context http) {
        JsonHttp.health(http, trouble.get());
    }

    private void status(Context http) throws SQLException {
        String uid = http.pathParam("uid");
        DatasetStatus status = datasets.status(uid)
                .orElseThrow(() -> new Problem(404, "No such dataset", "there is no dataset " + uid));
        JsonHttp.write(http, 200, status);
    }

    private void addDataset(Context http) throws SQLException {
        DatasetForm form = JsonHttp.read(http, DatasetForm.class);
        if (form.uid() == null || (form.directory() == null) == (form.files() == null)) {
            throw new Problem(400, "Bad dataset", "give uid, and either directory or files");
        }
        try {
            if (form.files() != null) {
                source.addFiles(form.uid(), form.files());
            } else if (source.allows(Path.of(form.directory()))) {
                source.addDirectory(form.uid(), Path.of(form.directory()));
            } else {
                throw new Problem(
                        403,
                        "Directory not allowed",
                        form.directory() + " is in no directory that DSM was started with (--allow DIR)");
            }
        } catch (IllegalArgumentException | NoSuchFileException | NotDirectoryException e) {
            throw new Problem(400, "Bad dataset", e.getMessage());
        } catch (IOException e) {
            throw new Problem(422, "Unreadable directory", e.toString());
        }
        JsonHttp.write(http, 201, datasets.status(form.uid()).orElseThrow());
    }

    private void storage(Context http) throws SQLException {
        String id = http.pathParam("id");
        String url =
                storages.url(id).orElseThrow(() -> new Problem(404, "No such storage", "there is no storage " + id));
        JsonHttp.write(http, 200, new StorageForm(id, url));
    }

    private void addStorage(Context http) throws SQLException {
        StorageForm form = JsonHttp.read(http, StorageForm.class);
        if (form.id() == null || form.id().isBlank() || form.url() == null || !Urls.isStorage(form.url())) {
            throw new Problem(400, "Bad storage", "give id and url, the url as file:///data or https://host/path");
        }
        storages.put(form.id(), form.url());
        JsonHttp.write(http, 201, form);
    }

    @Override
    public void close() {
        server.stop();
    }
}
