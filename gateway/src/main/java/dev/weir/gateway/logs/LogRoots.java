package dev.weir.gateway.logs;

import dev.weir.protocol.Urls;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The places whose logs may be read: directories, and beginnings of http and https addresses. A pilot says where its log is, so an address is a
 * stranger's word. Safe for use from many threads.
 */
public final class LogRoots {

    private static final String SETTING = "weir.gateway.log-roots";
    private static final String FILE = "file://";
    private static final Pattern PARAMETERS = Pattern.compile(";[^/\\\\]*");
    /** In bytes, of Linux. */
    private static final int LONGEST_NAME = 255;

    private static final int LONGEST_PATH = 4095;

    private final List<LogDirectory> directories = new ArrayList<>();
    private final List<String> beginnings = new ArrayList<>();
    private final LogFetch fetch = new LogFetch();

    /** @throws IllegalArgumentException when one is neither an absolute directory nor such an address */
    public LogRoots(List<String> roots) {
        for (String root : roots) {
            if (isWeb(root)) {
                // With the slash, or another host or directory might begin with the same letters.
                beginnings.add(beginning(root.endsWith("/") ? root : root + "/"));
            } else {
                directories.add(new LogDirectory(directory(root)));
            }
        }
    }

    private static String beginning(String root) {
        String escaped = Urls.escaped(root);
        try {
            if (!leads(root) && URI.create(escaped).getHost() != null) {
                return escaped;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new IllegalArgumentException(SETTING
                + " must name addresses with a host and without steps upwards (..), as in https://store.example/spd, got '"
                + Urls.withoutSecrets(root) + "'");
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
     * @throws LogRefused when it is in none of the places, or cannot be read there, also later
     * @throws IOException when it is not there ({@link NoSuchFileException}), or cannot be read now
     */
    public LogTail read(String url) throws LogRefused, IOException {
        if (leads(url)) {
            throw upwards(url);
        }
        if (isWeb(url)) {
            String escaped = Urls.escaped(url);
            if (beginnings.stream().noneMatch(escaped::startsWith)) {
                throw refused(url);
            }
            return fetch.tail(escaped);
        }
        for (Path path : paths(url)) {
            for (LogDirectory directory : directories) {
                if (directory.holds(path)) {
                    return tail(directory, path, url);
                }
            }
        }
        throw refused(url);
    }

    private static LogTail tail(LogDirectory directory, Path path, String url) throws LogRefused, IOException {
        try {
            return directory.tail(path).orElseThrow(() -> refused(url));
        } catch (FileSystemException e) {
            if (lasts(path, e)) {
                throw new LogRefused("the log at " + Urls.withoutSecrets(url) + " cannot be read: "
                        + (e instanceof AccessDeniedException
                                ? "the user of this gateway may not; give it the right to"
                                : "there can be no file of this name (" + e.getReason() + ")"));
            }
            throw e;
        }
    }

    /** Whether it cannot be read later either. Most failures of a system have no type in Java, and are told in the words of its language. */
    static boolean lasts(Path path, FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return false;
        }
        return failure instanceof AccessDeniedException
                || failure instanceof NotDirectoryException
                || Files.isRegularFile(path.getParent())
                || String.valueOf(failure.getReason()).contains("symbolic link")
                || path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH
                || path.getFileName().toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME;
    }

    private static boolean isWeb(String url) {
        String scheme = url.toLowerCase(Locale.ROOT);
        return scheme.startsWith("http://") || scheme.startsWith("https://");
    }

    /** Whether it has a step upwards, as it stands or decoded. Some servers take {@code ..;x} as one. */
    private static boolean leads(String url) {
        return Stream.of(url, decoded(url))
                .anyMatch(one -> Urls.leavesItsDirectory(one)
                        || Urls.leavesItsDirectory(PARAMETERS.matcher(one).replaceAll("")));
    }

    private static LogRefused upwards(String url) {
        return new LogRefused("this gateway does not read logs at " + Urls.withoutSecrets(url)
                + ": the path has a step upwards (..). Store logs at addresses without one, below what " + SETTING
                + " names");
    }

    /** The file's path as its name stands; and with its escapes decoded, first if only that one is there. Weir joins names to URLs as they are. */
    private static List<Path> paths(String url) {
        if (!url.regionMatches(true, 0, FILE, 0, FILE.length())) {
            return List.of();
        }
        String rest = url.substring(FILE.length());
        int slash = rest.indexOf('/');
        String host = slash < 0 ? rest : rest.substring(0, slash);
        if (slash < 0 || !host.isEmpty() && !host.equalsIgnoreCase("localhost")) {
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
