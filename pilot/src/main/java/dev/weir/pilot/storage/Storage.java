package dev.weir.pilot.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Moves files between the pilot's disk and the URLs of some schemes. An implementation is found by {@link
 * java.util.ServiceLoader}, needs a public constructor without parameters, and is called by several threads one after another.
 *
 * <p>Both methods answer an interrupt by ending soon with an {@link InterruptedException} or an {@link IOException}: that is how
 * a cancel or a time-out stops a transfer. A {@link RefusedException} says that another try is of no use; any other {@link
 * IOException} is tried again.
 */
public interface Storage {

    /** The URL schemes that it serves, in lower case, e.g. {@code s3}. */
    Set<String> schemes();

    /**
     * Copies the file at a URL to a local path that does not exist yet.
     *
     * @param url as it stands in the job; names in it may hold characters that a strict URL would have escaped
     * @param target its directory exists
     * @param maxBytes a longer file is a {@link RefusedException}, as soon as that is known
     */
    void fetch(String url, Path target, long maxBytes) throws IOException, InterruptedException;

    /**
     * Copies a local file to a URL, making directories as needed. Readers of the URL see the whole file or none: it is
     * written aside and renamed, or the server sees to it.
     */
    void store(Path source, String url) throws IOException, InterruptedException;
}
