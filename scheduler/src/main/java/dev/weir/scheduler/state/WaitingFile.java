package dev.weir.scheduler.state;

import dev.weir.protocol.Urls;
import java.util.List;

/**
 * A waiting file.
 *
 * @param size in bytes; null when not known
 * @param checksum null when not known
 * @param priority within its task, 1 is best
 * @param groups keys of the limit groups that hold it
 */
public record WaitingFile(
        String name, String storageUrl, String path, Long size, String checksum, int priority, List<String> groups) {

    /** Priority of a file without a given priority. */
    public static final int DEFAULT_PRIORITY = 3;

    public String url() {
        return Urls.join(storageUrl, path, name);
    }
}
