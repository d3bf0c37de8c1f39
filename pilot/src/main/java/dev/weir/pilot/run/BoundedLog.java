package dev.weir.pilot.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A log file that never grows beyond a number of bytes, whatever a program prints: its beginning goes to the file, its end (where
 * the error stands) is kept in memory, up to 1 MiB, and what lies between is dropped and counted in a line. A full disk does not
 * stop it either: the rest is dropped. Safe for use from many threads.
 */
final class BoundedLog implements Closeable {

    private static final int MAX_TAIL_BYTES = 1 << 20;

    private final OutputStream out;
    private final long headBytes;
    private final int tailBytes;
    private byte[] tail = new byte[0];
    private long written;
    private long total;
    private IOException failure;
    private boolean closed;

    BoundedLog(Path file, long maxBytes) throws IOException {
        this.out = Files.newOutputStream(file);
        this.tailBytes = (int) Math.min(maxBytes / 2, MAX_TAIL_BYTES);
        this.headBytes = maxBytes - tailBytes;
    }

    void line(String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        write(bytes, 0, bytes.length);
    }

    synchronized void write(byte[] bytes, int offset, int length) {
        if (closed) {
            return;
        }
        int toHead = (int) Math.min(length, headBytes - written);
        toFile(bytes, offset, toHead);
        written += toHead;
        total += length;
        if (length > toHead) {
            toTail(bytes, offset + toHead, length - toHead);
        }
    }

    private void toFile(byte[] bytes, int offset, int length) {
        if (failure == null && length > 0) {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    /** Keeps the last bytes in a ring; {@code total - written} bytes have passed through it, this part included. */
    private void toTail(byte[] bytes, int offset, int length) {
        if (tail.length < tailBytes) {
            tail = new byte[tailBytes];
        }
        int skipped = Math.max(0, length - tailBytes);
        long position = total - written - length + skipped;
        for (int i = skipped; i < length; i++) {
            tail[(int) (position++ % tailBytes)] = bytes[offset + i];
        }
    }

    /** Why the log could not be written to its file; null when it could. */
    synchronized IOException failure() {
        return failure;
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        long passed = total - written;
        if (passed > tailBytes) {
            byte[] mark = ("\n[weir: " + (passed - tailBytes) + " bytes left out here; the log had " + total + "]\n")
                    .getBytes(StandardCharsets.UTF_8);
            toFile(mark, 0, mark.length);
            int start = (int) (passed % tailBytes);
            toFile(tail, start, tailBytes - start);
            toFile(tail, 0, start);
        } else {
            toFile(tail, 0, (int) passed);
        }
        out.close();
    }
}
