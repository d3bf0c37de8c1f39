package dev.weir.protocol;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Joining and checking the parts of a file's URL: {@code <storage>/<dataset directory>/<job uid>/<name>}. */
public final class Urls {

    /** RFC 3986, 3.1 and 3.2: a scheme, then an authority or a path. */
    private static final Pattern STORAGE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^\\s\\x00]+");

    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/\\s\"]+@");

    private Urls() {}

    /** A text for people, with *** for users and passwords in the URLs in it. */
    public static String withoutSecrets(String text) {
        return text.contains("://") && text.indexOf('@') >= 0
                ? USER_INFO.matcher(text).replaceAll("***@")
                : text;
    }

    /** Whether this can be the URL of a storage, as {@code file:///data} or {@code https://host/path}. */
    public static boolean isStorage(String url) {
        return STORAGE.matcher(url).matches();
    }

    /** Whether this can be the URL of a file: a scheme, a location, and a name at its end. */
    public static boolean isFile(String url) {
        int place = url.indexOf("://");
        return place > 0 && url.lastIndexOf('/') > place + 2 && !url.endsWith("/");
    }

    /**
     * The URL with everything in its path escaped that may not stand there. Weir joins plain names to a storage's URL, so {@code #}
     * and {@code ?} belong to a name and begin no fragment or query. Escapes that are there already stay.
     */
    public static String escaped(String url) {
        int authority = url.indexOf("://") + 3;
        int path = authority < 3 ? -1 : url.indexOf('/', authority);
        int from = path < 0 ? url.length() : path;
        StringBuilder text = new StringBuilder(url.substring(0, from));
        byte[] bytes = url.substring(from).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~:/@!$&'()*+,;=".indexOf(c) >= 0);
            boolean escape = c == '%' && i + 2 < bytes.length && isHex(bytes[i + 1]) && isHex(bytes[i + 2]);
            if (plain || escape) {
                text.append(c);
            } else {
                text.append('%').append(String.format("%02X", (int) c));
            }
        }
        return text.toString();
    }

    private static boolean isHex(byte b) {
        return Character.digit(b, 16) >= 0;
    }

    /** Joins the parts by single slashes and leaves out empty parts. Leading slashes of the first part are kept, and those before its authority. */
    public static String join(String first, String... rest) {
        int scheme = first.indexOf("://");
        int least = scheme < 0 ? 0 : scheme + 3;
        int length = first.length();
        for (String part : rest) {
            length += part.length() + 1;
        }
        StringBuilder url = new StringBuilder(length).append(first);
        for (String part : rest) {
            int from = 0;
            int to = part.length();
            while (from < to && part.charAt(from) == '/') {
                from++;
            }
            if (from == to) {
                continue;
            }
            while (url.length() > least && url.charAt(url.length() - 1) == '/') {
                url.setLength(url.length() - 1);
            }
            url.append('/').append(from == 0 ? part : part.substring(from));
        }
        return url.toString();
    }

    /** Whether a relative path has a ".." step or a NUL, and so could point outside its base. */
    public static boolean leavesItsDirectory(String path) {
        if (path.indexOf('\0') >= 0) {
            return true;
        }
        if (!path.contains("..")) {
            return false;
        }
        int start = 0;
        for (int i = 0; i <= path.length(); i++) {
            if (i == path.length() || path.charAt(i) == '/' || path.charAt(i) == '\\') {
                if (i - start == 2 && path.startsWith("..", start)) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }
}
