package dev.weir.pilot.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A log that never grows beyond a number of bytes, whatever a program prints: its beginning goes to a file, its end (where the error
 * stands) is kept in memory, up to 1 MiB, and what lies between is dropped and counted in a line. A full disk does not stop it
 * either: the rest is dropped. The file is opened once and never looked up again, because the program could put something else in
 * its place. Safe for use from many threads.
 */
final class BoundedLog extends OutputStream {

    private static final int MAX_TAIL_BYTES = 1 << 20;
    private static final int BUFFER_BYTES = 64 << 10;

    /** No channel: an interrupt would close that. */
    private final RandomAccessFile file;

    private final long headBytes;
    private final int tailBytes;
    private byte[] tail = new byte[0];
    private long written;
    private long total;
    private IOException failure;
    private boolean closed;

    /** The file must not be there yet. */
    BoundedLog(Path file, long maxBytes) throws IOException {
        this.file = new RandomAccessFile(Files.createFile(file).toFile(), "rw");
        this.tailBytes = (int) Math.min(maxBytes / 2, MAX_TAIL_BYTES);
        this.headBytes = maxBytes - tailBytes;
    }

    void line(String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
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

    /**
     * Appends a file from where it stands. Of what this log drops anyway only the length is asked, because a program may have written
     * far more than can be read in time.
     */
    synchronized void append(SeekableByteChannel from) throws IOException {
        InputStream in = Channels.newInputStream(from);
        copy(in, headBytes - written);
        long dropped = from.size() - from.position() - tailBytes;
        if (dropped > 0) {
            from.position(from.position() + dropped);
            total += dropped;
            tail = new byte[tailBytes];
        }
        copy(in, tailBytes);
    }

    private void copy(InputStream in, long most) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int read = 0;
        for (long left = most; left > 0 && read >= 0; left -= read) {
            read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            write(buffer, 0, Math.max(0, read));
        }
    }

    private void toFile(byte[] bytes, int offset, int length) {
        if (failure == null && length > 0) {
            try {
                file.write(bytes, offset, length);
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

    /** Writes what is in it by now; more may follow. */
    synchronized void writeTo(OutputStream out) throws IOException {
        long end = file.getFilePointer();
        file.seek(0);
        byte[] buffer = new byte[BUFFER_BYTES];
        for (long left = end; left > 0; ) {
            int read = file.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) {
                break; // The program has cut it.
            }
            out.write(buffer, 0, read);
            left -= read;
        }
        file.seek(end);
        long passed = total - written;
        if (passed > tailBytes) {
            String mark = "\n[weir: " + (passed - tailBytes) + " bytes left out here; the log had " + total + "]\n";
            out.write(mark.getBytes(StandardCharsets.UTF_8));
            int start = (int) (passed % tailBytes);
            out.write(tail, start, tailBytes - start);
            out.write(tail, 0, start);
        } else {
            out.write(tail, 0, (int) passed);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        file.close();
    }
}
