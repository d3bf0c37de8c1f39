package dev.weir.pilot.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file as the body of a request, which counts how much of it has been taken. The client closes what it has read to the end; after a
 * request that failed, {@link #close} does, because a deleted file keeps its place on the disk while it is open.
 */
final class SentFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SentFile.class);

    private final Path file;
    private final long bytes;
    private final AtomicLong sent = new AtomicLong();

    /** Guarded by this, as is what follows. */
    private final List<InputStream> opened = new ArrayList<>();

    private boolean closed;

    SentFile(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Its length is announced; a file that has become shorter fails. */
    BodyPublisher body() {
        return bytes == 0
                ? BodyPublishers.noBody()
                : BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(this::open), bytes);
    }

    long sent() {
        return sent.get();
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (InputStream stream : opened) {
            try {
                stream.close();
            } catch (IOException e) {
                LOG.debug("{} cannot be closed", file, e);
            }
        }
    }

    private synchronized InputStream open() {
        try {
            if (closed) {
                throw new IOException("the request has ended");
            }
            InputStream stream = new FilterInputStream(Files.newInputStream(file)) {
                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int read = super.read(buffer, offset, length);
                    sent.addAndGet(Math.max(0, read));
                    return read;
                }
            };
            opened.add(stream);
            return stream;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
