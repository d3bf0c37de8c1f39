package dev.weir.gateway.logs;

import dev.weir.protocol.Urls;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The places whose logs may be read: directories, and beginnings of http and https addresses. A pilot says where its log is, so an address is a
 * stranger's word. Safe for use from many threads.
 */
public final class LogRoots {

    private static final String SETTING = "weir.gateway.log-roots";
    private static final String FILE = "file://";

    private final List<LogDirectory> directories = new ArrayList<>();
    private final List<String> beginnings = new ArrayList<>();
    private final LogFetch fetch = new LogFetch();

    /** @throws IllegalArgumentException when one is neither an absolute directory nor such an address */
    public LogRoots(List<String> roots) {
        for (String root : roots) {
            if (isWeb(root)) {
                // With the slash, or another host or directory might begin with the same letters.
                beginnings.add(Urls.escaped(root.endsWith("/") ? root : root + "/"));
            } else {
                directories.add(new LogDirectory(directory(root)));
            }
        }
    }

    private static Path directory(String root) {
        try {
            Path path = Path.of(root.startsWith(FILE) ? root.substring(FILE.length()) : root);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                SETTING + " must name absolute directories, or addresses that begin with http:// or https://, got '"
                        + root + "'");
    }

    /**
     * The end of the log at the address.
     *
     * @throws LogRefused when it is in none of the places
     * @throws IOException when it is not there ({@link java.nio.file.NoSuchFileException}), or cannot be read
     */
    public LogTail read(String url) throws LogRefused, IOException {
        if (isWeb(url)) {
            String escaped = Urls.escaped(url);
            if (leads(url) || beginnings.stream().noneMatch(escaped::startsWith)) {
                throw refused(url);
            }
            return fetch.tail(escaped);
        }
        for (Path path : paths(url)) {
            for (LogDirectory directory : directories) {
                if (directory.holds(path)) {
                    return directory.tail(path).orElseThrow(() -> refused(url));
                }
            }
        }
        throw refused(url);
    }

    private static boolean isWeb(String url) {
        String scheme = url.toLowerCase(Locale.ROOT);
        return scheme.startsWith("http://") || scheme.startsWith("https://");
    }

    /** Whether it has a step upwards, as it stands or decoded. */
    private static boolean leads(String url) {
        return Urls.leavesItsDirectory(url) || Urls.leavesItsDirectory(decoded(url));
    }

    /** The file's path as its name stands; and with its escapes decoded, first if only that one is there. Weir joins names to URLs as they are. */
    private static List<Path> paths(String url) {
        if (!url.regionMatches(true, 0, FILE, 0, FILE.length())) {
            return List.of();
        }
        String rest = url.substring(FILE.length());
        int slash = rest.indexOf('/');
        String host = slash < 0 ? rest : rest.substring(0, slash);
        if (slash < 0 || !host.isEmpty() && !host.equalsIgnoreCase("localhost") || leads(url)) {
            return List.of();
        }
        String text = rest.substring(slash);
        try {
            Path literal = Path.of(text);
            Path other = Path.of(decoded(text));
            return literal.equals(other) || Files.exists(literal) ? List.of(literal) : List.of(other);
        } catch (InvalidPathException e) {
            return List.of();
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // A percent sign that begins no escape.
            return text;
        }
    }

    private static LogRefused refused(String url) {
        return new LogRefused("this gateway does not read logs at " + Urls.withoutSecrets(url)
                + "; to show them here, name a directory above, or the beginning of the address, in " + SETTING);
    }
}
