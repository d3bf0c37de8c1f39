package dev.weir.gateway.logs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The end of a log, at most {@value #MOST_BYTES} bytes.
 *
 * @param size of the whole log, in bytes
 * @param from the byte with which the text begins
 */
public record LogTail(long size, long from, String text) {

    public static final int MOST_BYTES = 256 << 10;

    /** A character of UTF-8 has at most this many bytes after its first. */
    private static final int MOST_BYTES_AFTER = 3;

    /** Bytes that are no UTF-8 become the replacement character; half a character at a cut is left out. */
    static LogTail of(byte[] end, long size) {
        long from = size - end.length;
        int start = 0;
        while (from > 0 && start < Math.min(MOST_BYTES_AFTER, end.length) && (end[start] & 0xc0) == 0x80) {
            start++;
        }
        byte[] whole = Arrays.copyOfRange(end, start, end.length);
        return new LogTail(size, from + start, new String(whole, StandardCharsets.UTF_8));
    }
}
