package dev.weir.connectors.dsm;

import com.fasterxml.jackson.databind.ObjectReader;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * A whole dataset in a file, a line of JSON to an entry, with every {@value #STRIDE}th entry's place in memory: ten million
 * files cost 160 kB of heap. Safe to read from many threads once complete.
 */
final class Spool implements Closeable {

    static final int STRIDE = 512;

    private final FileChannel file;
    private final long[] places;
    private final long total;
    private final long bytes;
    private volatile long lastUsedNanos = System.nanoTime();

    Spool(FileChannel file, long[] places, long total, long bytes) {
        this.file = file;
        this.places = Arrays.copyOf(places, places.length);
        this.total = total;
        this.bytes = bytes;
    }

    long bytes() {
        return bytes;
    }

    long lastUsedNanos() {
        return lastUsedNanos;
    }

    /**
     * The files from offset on, at most limit and at most maxBytes of them. Throws CompletionException around an IOException:
     * {@link Transient} when the file is gone, {@link BoundedBody.TooLarge}.
     */
    DatasetPage page(long offset, int limit, long maxBytes) {
        try {
            return read(offset, limit, maxBytes);
        } catch (BoundedBody.TooLarge e) {
            throw new CompletionException(e);
        } catch (IOException e) {
            throw new CompletionException(new Transient("the dataset's copy on disk went away (" + e + ")", e));
        }
    }

    private DatasetPage read(long offset, int limit, long maxBytes) throws IOException {
        lastUsedNanos = System.nanoTime();
        List<FileInfo> files = new ArrayList<>((int) Math.max(0, Math.min(limit, total - offset)));
        if (offset < total) {
            ObjectReader reader = Json.mapper().readerFor(FileInfo.class);
            long place = places[(int) (offset / STRIDE)];
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(new From(place), StandardCharsets.UTF_8), 64 << 10)) {
                for (long skip = offset % STRIDE; skip > 0; skip--) {
                    lines.readLine();
                }
                long read = 0;
                while (files.size() < limit && offset + files.size() < total) {
                    String line = lines.readLine();
                    read += line.length();
                    if (read > maxBytes) {
                        throw new BoundedBody.TooLarge("the page has more than " + maxBytes + " bytes");
                    }
                    files.add(reader.readValue(line));
                }
            }
        }
        return new DatasetPage(total, files);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Reads by position, so that several readers do not disturb each other. */
    private final class From extends InputStream {
        private long place;

        From(long place) {
            this.place = place;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = file.read(ByteBuffer.wrap(buffer, offset, length), place);
            if (count > 0) {
                place += count;
            }
            return count;
        }
    }
}
