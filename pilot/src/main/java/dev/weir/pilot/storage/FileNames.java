package dev.weir.pilot.storage;

import dev.weir.protocol.Texts;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;

/** Names of files, taken from URLs and put into them. */
public final class FileNames {

    /** What common file systems take for one name. */
    static final int MAX_BYTES = 255;

    /** Of an input's local name; its end is kept, because programs look at the extension. */
    private static final int MAX_LOCAL_CHARACTERS = 80;

    /** How the JVM writes names and arguments; in the C locale it knows ASCII only. */
    private static final Charset SYSTEM =
            Charset.forName(System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name()));

    /** Says after a name what is wrong with it. */
    public static final String UNKNOWN_TO_SYSTEM = "has characters that this pilot's locale (" + SYSTEM
            + ") does not have; start it with a UTF-8 locale, such as LC_ALL=C.UTF-8";

    private FileNames() {}

    /** Whether the system can be given this name or argument as it is. */
    public static boolean isKnownToSystem(String text) {
        return SYSTEM.newEncoder().canEncode(text);
    }

    /** The last step of a URL as a plain local file name; characters that the locale does not have become {@code _}. */
    public static String local(String url) {
        return local(url, SYSTEM);
    }

    static String local(String url, Charset system) {
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
        name = known(Texts.last(name, MAX_LOCAL_CHARACTERS), system);
        return name.isEmpty() || name.equals(".") || name.equals("..") ? "file" : name;
    }

    private static String known(String name, Charset system) {
        CharsetEncoder encoder = system.newEncoder();
        if (encoder.canEncode(name)) {
            return name;
        }
        return name.codePoints()
                .mapToObj(Character::toString)
                .map(character -> encoder.canEncode(character) ? character : "_")
                .collect(Collectors.joining());
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
