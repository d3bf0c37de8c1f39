package dev.weir.pilot.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A file as the body of a request, which counts how much of it has been taken. */
final class SentFile {

    private final Path file;
    private final long bytes;
    private final AtomicLong sent = new AtomicLong();

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

    private InputStream open() {
        try {
            return new FilterInputStream(Files.newInputStream(file)) {
                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int read = super.read(buffer, offset, length);
                    sent.addAndGet(Math.max(0, read));
                    return read;
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
