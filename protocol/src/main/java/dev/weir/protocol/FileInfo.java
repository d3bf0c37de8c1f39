package dev.weir.protocol;

import java.util.List;

/**
 * One file of a dataset, listed by DSM or among a task's targets.
 *
 * @param name the file's name, without a directory, and without a ".." between backslashes
 * @param storageUrl the storage that holds it, e.g. {@code file:///data} or {@code https://store.example/spd}
 * @param path the directory on that storage, relative to it; may be empty
 * @param size in bytes; null if unknown
 * @param checksum {@code algorithm:hex} or bare hex of SHA-256; null if unknown
 * @param type of the entry: {@code file} or {@code log}; null means file
 * @param priority within its task, 1 is best; null when the task does not order by priority
 * @param groups limit groups of the file, in addition to those that follow from its URL
 */
public record FileInfo(
        String name,
        String storageUrl,
        String path,
        Long size,
        String checksum,
        String type,
        Integer priority,
        List<String> groups) {

    public static final int MAX_PRIORITY = 1_000_000;

    public FileInfo {
        Check.text("name", name);
        Check.text("storage_url", storageUrl);
        path = path == null ? "" : path;
        if (name.indexOf('/') >= 0 || name.indexOf('\0') >= 0 || name.equals(".")) {
            throw new InvalidMessage("name", "name must be a plain file name, got '" + name + "'");
        }
        if (Urls.leavesItsDirectory(name)) {
            // The output is named after it, and no result with such a URL is taken.
            throw new InvalidMessage("name", "name must have no step '..', also not between \\, got '" + name + "'");
        }
        if (Urls.leavesItsDirectory(path)) {
            throw new InvalidMessage("path", "path must not leave its dataset's directory, got '" + path + "'");
        }
        Check.size("size", size);
        if (priority != null) {
            Check.within("priority", priority, 1, MAX_PRIORITY);
        }
        Check.bytes("name", name, Limits.MAX_NAME_BYTES);
        Check.bytes("storage_url", storageUrl, Limits.MAX_URL_BYTES);
        Check.bytes("path", path, Limits.MAX_URL_BYTES);
        Check.label("checksum", checksum);
        Check.label("type", type);
        groups = Check.groups("groups", groups);
    }

    /** The file's URL: storage, directory and name joined by single slashes. */
    public String url() {
        return Urls.join(storageUrl, path, name);
    }
}
