package dev.weir.pilot.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** All storages of a pilot; finds the one for a URL by its scheme. */
public final class Storages {

    private final Map<String, Storage> byScheme = new HashMap<>();

    /** A later storage replaces an earlier one that serves the same scheme. */
    public Storages(List<? extends Storage> storages) {
        for (Storage storage : storages) {
            for (String scheme : storage.schemes()) {
                byScheme.put(scheme.toLowerCase(Locale.ROOT), storage);
            }
        }
    }

    /** What is built in, and what the class path adds. */
    public static Storages standard(StorageRoots roots, HttpHosts hosts) {
        List<Storage> all = new ArrayList<>();
        all.add(new FileStorage(roots));
        all.add(new HttpStorage(hosts));
        ServiceLoader.load(Storage.class).forEach(all::add);
        return new Storages(all);
    }

    /** As {@link Storage#fetch}. */
    public void fetch(String url, Path target, long maxBytes) throws IOException, InterruptedException {
        of(url).fetch(url, target, maxBytes);
    }

    /** As {@link Storage#store}. */
    public void store(Path source, String url) throws IOException, InterruptedException {
        of(url).store(source, url);
    }

    private Storage of(String url) throws RefusedException {
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        Storage storage = byScheme.get(scheme);
        if (storage == null) {
            throw new RefusedException("no storage for the URL " + url + ": this pilot serves the schemes "
                    + new TreeSet<>(byScheme.keySet()));
        }
        return storage;
    }
}
