package dev.weir.pilot.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The body of an answer, which fails when none of it comes for too long. It is watched in a thread of its own, because a read has no time-out. */
final class WatchedBody extends FilterInputStream {

    private final Duration silence;
    private final AtomicLong reads = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean silent;

    WatchedBody(InputStream body, Duration silence) {
        super(body);
        this.silence = silence;
        Thread watch = new Thread(this::watch, "pilot-silence");
        watch.setDaemon(true);
        watch.start();
    }

    private void watch() {
        try {
            long before = -1;
            for (long now = 0; now != before; now = reads.get()) {
                before = now;
                if (closed.await(silence.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            silent = true;
            in.close();
        } catch (InterruptedException | IOException e) {
            // Nothing interrupts it, and what cannot be closed has ended.
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        try {
            int read = super.read(buffer, offset, length);
            reads.incrementAndGet();
            return read;
        } catch (IOException e) {
            if (silent) {
                HttpTimeoutException timeout =
                        new HttpTimeoutException("nothing came for " + silence.toSeconds() + " s");
                timeout.initCause(e);
                throw timeout;
            }
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        super.close();
    }
}
