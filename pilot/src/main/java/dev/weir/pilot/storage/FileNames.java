package dev.weir.pilot.storage;

import dev.weir.protocol.Texts;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Names of files, taken from URLs and put into them. */
public final class FileNames {

    /** What common file systems take for one name. */
    static final int MAX_BYTES = 255;

    /** Of an input's local name; its end is kept, because programs look at the extension. */
    private static final int MAX_LOCAL_CHARACTERS = 80;

    private FileNames() {}

    /** The last step of a URL as a plain local file name. */
    public static String local(String url) {
        String name = url;
        if (url.startsWith("http")) {
            name = url.substring(url.lastIndexOf('/') + 1);
            try {
                name = URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                // A percent sign that begins no escape: the name stays as it is.
            }
        }
        name = name.substring(name.lastIndexOf('/') + 1).replace('\0', '_').replace('\n', '_');
        name = Texts.last(name, MAX_LOCAL_CHARACTERS);
        return name.isEmpty() || name.equals(".") || name.equals("..") ? "file" : name;
    }

    /**
     * Puts the writer into a file's URL, before the extension: {@code …/a.7.1.out} by {@code node-3} becomes {@code
     * …/a.7.1.node-3.out}. So no two pilots ever write the same path. A writer that makes the name too long is shortened to a
     * hash of it.
     */
    public static String withWriter(String url, String writer) {
        int slash = url.lastIndexOf('/');
        int dot = url.lastIndexOf('.');
        int at = dot > slash + 1 ? dot : url.length();
        String marked = url.substring(0, at) + "." + writer + url.substring(at);
        if (marked.substring(slash + 1).getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
            return marked;
        }
        String hash = UUID.nameUUIDFromBytes(writer.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
        return url.substring(0, at) + "." + hash + url.substring(at);
    }
}
