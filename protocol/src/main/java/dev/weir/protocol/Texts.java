package dev.weir.protocol;

/** Lengths of texts in bytes: of UTF-8 for file systems, of JSON for messages. */
public final class Texts {

    private Texts() {}

    /**
     * The position at which to cut a text so that it has at most this number of bytes in UTF-8. Never splits a character.
     *
     * @param from start of the text
     * @param to end of the text if it fits
     * @return the end of the part to keep, from {@code from} to {@code to}
     */
    public static int endWithin(String text, int from, int to, int maxBytes) {
        int bytes = 0;
        int at = from;
        while (at < to) {
            int point = text.codePointAt(at);
            bytes += utf8Bytes(point);
            if (bytes > maxBytes) {
                return at;
            }
            at += Character.charCount(point);
        }
        return Math.min(at, to);
    }

    /** The first characters of a text, at most this number of Java's {@code char}; never splits a surrogate pair. */
    public static String first(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars);
    }

    /** The last characters of a text, at most this number of Java's {@code char}; never splits a surrogate pair. */
    public static String last(String text, int maxChars) {
        int from = text.length() - maxChars;
        if (from <= 0) {
            return text;
        }
        return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }

    /** Both ends of a text, at most this number of Java's {@code char}: an error often names its cause last. */
    public static String ends(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return text;
        }
        int start = (maxChars - 1) / 2;
        return first(text, start) + "…" + last(text, maxChars - 1 - start);
    }

    /** Whether each half of a surrogate pair has its other half. */
    public static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))
                    && (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(++i)))) {
                return false;
            }
        }
        return true;
    }

    /** An upper bound of the bytes of a text in JSON, without its quotes. */
    public static long jsonBytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // The writer spells pairs of surrogates out, each half as an escape.
            if (c < ' ' || Character.isSurrogate(c)) {
                bytes += 6;
            } else if (c == '"' || c == '\\') {
                bytes += 2;
            } else if (c < 0x80) {
                bytes++;
            } else {
                bytes += c < 0x800 ? 2 : 3;
            }
        }
        return bytes;
    }

    /** Whether a text from {@code from} on has at most this number of bytes in JSON. Most texts are too short to need counting. */
    public static boolean fitsJson(String text, int from, int maxBytes) {
        return (text.length() - from) * 6L <= maxBytes || jsonBytes(text.substring(from)) <= maxBytes;
    }

    private static int utf8Bytes(int point) {
        if (point < 0x80) {
            return 1;
        }
        if (point < 0x800) {
            return 2;
        }
        return point < 0x10000 ? 3 : 4;
    }
}
