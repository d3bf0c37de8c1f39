package dev.weir.connectors.dsm;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer, which ends: after too many bytes, after too long, or when nothing comes for too long. The HTTP
 * client itself only bounds the time until the head. Read by one thread; the watch closes it from another.
 */
final class BoundedBody extends FilterInputStream {

    /** A body, or one entry of it, has more bytes than allowed. */
    static final class TooLarge extends IOException {
        TooLarge(String what) {
            super(what);
        }
    }

    /** Jackson reads ahead by this much at most, which says nothing about the size of an entry. */
    private static final int READ_AHEAD_BYTES = 16 << 10;

    private final long maxBytes;
    private final int maxEntryBytes;
    private final ScheduledFuture<?> watch;
    private volatile long lastReadNanos = System.nanoTime();
    /** Waiting for our own parser, or for the disk that it writes to, must not count as DSM's silence. */
    private volatile boolean reading;

    private volatile String stopped;
    private long bytes;
    private long bytesAtEntry;

    BoundedBody(InputStream body, DsmReaderOptions options, ScheduledExecutorService clock) {
        super(body);
        this.maxBytes = options.sizes().maxWhole();
        this.maxEntryBytes = options.sizes().maxEntry();
        long begunNanos = System.nanoTime();
        long everyMillis = Math.max(5, options.timeouts().response().toMillis() / 4);
        this.watch = clock.scheduleWithFixedDelay(
                () -> stopIfLate(
                        begunNanos,
                        options.timeouts().response(),
                        options.timeouts().body()),
                everyMillis,
                everyMillis,
                TimeUnit.MILLISECONDS);
    }

    private void stopIfLate(long begunNanos, Duration idle, Duration whole) {
        long now = System.nanoTime();
        if (reading && now - lastReadNanos > idle.toNanos()) {
            stop("nothing of the answer's body came for " + idle.toMillis() + " ms");
        } else if (now - begunNanos > whole.toNanos()) {
            stop("the answer's body had not ended after " + whole.toMillis() + " ms");
        }
    }

    private void stop(String why) {
        stopped = why;
        watch.cancel(false);
        try {
            in.close();
        } catch (IOException e) {
            // The reader sees the same, with the reason.
        }
    }

    /** Bytes read so far. */
    long bytes() {
        return bytes;
    }

    /** An entry has been read to its end: the next may again be of full size. */
    void entryEnded() {
        bytesAtEntry = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count;
        try {
            lastReadNanos = System.nanoTime();
            reading = true;
            count = in.read(buffer, offset, Math.min(length, READ_AHEAD_BYTES));
        } catch (IOException e) {
            throw new Transient(stopped != null ? stopped : "the answer broke off: " + Reasons.of(e), e);
        } finally {
            reading = false;
        }
        if (stopped != null) {
            throw new Transient(stopped);
        }
        if (count > 0) {
            bytes += count;
            if (bytes - bytesAtEntry > (long) maxEntryBytes + 2L * READ_AHEAD_BYTES) {
                throw new TooLarge("one entry has more than " + maxEntryBytes + " bytes");
            }
            if (bytes > maxBytes) {
                throw new TooLarge("the answer has more than " + maxBytes + " bytes");
            }
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        watch.cancel(false);
        super.close();
    }
}
