package dev.weir.dsm.catalogue;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Registration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file or log that is well formed, at its place in the batch.
 *
 * @param type file or log
 */
record Item(int index, Key key, String type, FileInfo file, String jobUid) {

    /** Longest id and checksum, in characters: what an index can hold. */
    private static final int MAX_ID = 512;

    /** A whole URL, for a file that is not on its task's storage: all before its path, and the path. */
    private static final Pattern ELSEWHERE = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://[^/]*)/(.*)", Pattern.DOTALL);

    /** What a registration is known by: another dataset may have the same id, when a task's uid is used again. */
    record Key(String datasetUid, String id) {}

    /**
     * What it registers; null for a close.
     *
     * @param urls of the storages that are known
     * @throws InvalidMessage when it cannot be taken
     */
    static Item of(int index, Registration registration, Map<String, String> urls) {
        if (registration instanceof Registration.File file) {
            return new Item(
                    index,
                    key(file),
                    "file",
                    info(urls, file.path(), file.storageId(), file.size(), file.checksum()),
                    file.jobUid());
        }
        if (registration instanceof Registration.Log log) {
            return new Item(
                    index,
                    key(log),
                    "log",
                    info(urls, log.path(), log.storageId(), log.size(), log.checksum()),
                    log.jobUid());
        }
        return null;
    }

    boolean isFile() {
        return type.equals("file");
    }

    private static Key key(Registration registration) {
        return new Key(registration.datasetUid(), checked("id", registration.id()));
    }

    /** Splits the path into directory and name. Its constructor refuses what would leave the storage, and what is too long. */
    private static FileInfo info(Map<String, String> urls, String path, String storageId, Long size, String checksum) {
        if (checksum != null) {
            checked("checksum", checksum);
        }
        Matcher elsewhere = ELSEWHERE.matcher(path);
        if (elsewhere.matches()) {
            return info(elsewhere.group(1), elsewhere.group(2), size, checksum);
        }
        String url = urls.get(storageId);
        if (url == null) {
            throw new InvalidMessage(
                    "storage_id",
                    "storage '" + storageId + "' is not known to DSM; add it there (--storage id=URL), or give a URL");
        }
        return info(url, path, size, checksum);
    }

    private static FileInfo info(String storageUrl, String path, Long size, String checksum) {
        int slash = path.lastIndexOf('/');
        return new FileInfo(
                path.substring(slash + 1),
                storageUrl,
                path.substring(0, Math.max(0, slash)),
                size,
                checksum,
                null,
                null,
                null);
    }

    private static String checked(String field, String value) {
        if (value.length() > MAX_ID || value.indexOf('\0') >= 0) {
            throw new InvalidMessage(field, field + " must have at most " + MAX_ID + " characters and no NUL");
        }
        return value;
    }
}
