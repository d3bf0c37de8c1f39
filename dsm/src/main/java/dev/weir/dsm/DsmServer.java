package dev.weir.dsm;

import dev.weir.dsm.catalogue.Catalogue;
import dev.weir.dsm.catalogue.DatasetStatus;
import dev.weir.dsm.catalogue.Datasets;
import dev.weir.dsm.catalogue.Registrations;
import dev.weir.dsm.catalogue.Storages;
import dev.weir.dsm.files.Checksums;
import dev.weir.dsm.register.Registrar;
import dev.weir.dsm.web.Web;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** A running DSM. Safe for use from many threads. */
public final class DsmServer implements AutoCloseable {

    private static final int REQUEST_CONNECTIONS = 4;
    private static final int READER_CONNECTIONS = 10;

    private final DsmOptions options;
    private final Catalogue catalogue;
    private final Datasets datasets;
    private final DatasetSource source;
    private final Registrar registrar;
    private final Web web;

    /** As {@link #start(DsmOptions, Map)}, with the storages that the catalogue has. */
    public static DsmServer start(DsmOptions options) throws IOException {
        try {
            return start(options, Map.of());
        } catch (SQLException e) {
            throw new IllegalStateException("without storages nothing is written", e);
        }
    }

    /**
     * Opens the catalogue, takes registrations and answers over HTTP from now on; throws when it cannot.
     *
     * @param storages URLs by id, in place of those that the catalogue has; known before the first registration is taken
     */
    public static DsmServer start(DsmOptions options, Map<String, String> storages) throws IOException, SQLException {
        Catalogue catalogue =
                Catalogue.open(options.jdbcUrl(), options.user(), options.password(), REQUEST_CONNECTIONS);
        try {
            for (Map.Entry<String, String> storage : storages.entrySet()) {
                new Storages(catalogue).put(storage.getKey(), storage.getValue());
            }
            return new DsmServer(options, catalogue);
        } catch (IOException | SQLException | RuntimeException e) {
            catalogue.close();
            throw e;
        }
    }

    private DsmServer(DsmOptions options, Catalogue catalogue) throws IOException {
        this.options = options;
        this.catalogue = catalogue;
        datasets = new Datasets(catalogue);
        source = new DatasetSource(datasets, options.allowed(), options.checksums());
        // Slow readers of datasets hold their connections for long: neither registrations nor short requests wait for
        // them.
        Catalogue registrations = catalogue.separate("dsm-registrations", 1);
        Catalogue readers = catalogue.separate("dsm-readers", READER_CONNECTIONS);
        // The broker may be away; a wrong address must show before anything runs.
        registrar =
                options.register() == null ? null : new Registrar(options.register(), new Registrations(registrations));
        web = new Web(options.host(), options.port(), catalogue, readers, source, this::lag, this::trouble);
        if (registrar != null) {
            registrar.start();
        }
    }

    /** Where it answers. */
    public URI url() {
        String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
        return URI.create("http://" + host + ":" + web.port());
    }

    /** Makes a dataset of a directory's files; repeating it does nothing. */
    public void addDirectory(String uid, Path directory, Checksums.Progress progress) throws IOException, SQLException {
        source.addDirectory(uid, directory, progress);
    }

    public void addStorage(String id, String url) throws SQLException {
        new Storages(catalogue).put(id, url);
    }

    public Optional<DatasetStatus> status(String datasetUid) throws SQLException {
        return datasets.status(datasetUid);
    }

    /** Messages taken from the queue since the start. */
    public long registrationsTaken() {
        return registrar == null ? 0 : registrar.taken();
    }

    private Optional<String> lag() {
        return registrar == null ? Optional.empty() : registrar.lag();
    }

    private Optional<String> trouble() {
        return registrar == null ? Optional.empty() : registrar.trouble();
    }

    @Override
    public void close() {
        web.close();
        if (registrar != null) {
            registrar.close();
        }
        catalogue.close();
    }
}
