package dev.weir.protocol;

/** Lengths of texts as others count them: file systems in bytes of UTF-8, brokers in bytes of JSON. */
public final class Texts {

    private Texts() {}

    /**
     * Where to cut a text so that it has at most so many bytes in UTF-8. Never splits a character in two.
     *
     * @param from where the text begins that is kept
     * @param to where it ends if it fits
     * @return the end of what is kept, from {@code from} to {@code to}
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

    /** The first characters of a text, at most so many of Java's {@code char}; a pair of surrogates stays together. */
    public static String first(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars);
    }

    /** The last characters of a text, likewise. */
    public static String last(String text, int maxChars) {
        int from = text.length() - maxChars;
        if (from <= 0) {
            return text;
        }
        return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }

    /** How many bytes a text has in JSON, at most, without its quotes. */
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

    /** Whether a text from {@code from} on has at most so many bytes in JSON; most texts are so short that none needs to be counted. */
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
