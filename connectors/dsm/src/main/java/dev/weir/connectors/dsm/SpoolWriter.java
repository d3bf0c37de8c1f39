package dev.weir.connectors.dsm;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Writes a {@link Spool}. The file loses its name at once, so that it is gone however the process ends. When it cannot be written, as on a full
 * disk, complete ones make room: at least as much as it has taken, so that the next attempt has twice that.
 */
final class SpoolWriter implements Closeable {

    private static final String REMEDY =
            "make room there, or start Java with -Djava.io.tmpdir=DIR (in WEIR_JAVA_OPTS) on a larger disk";

    private final Path parent;
    private final Spools spools;
    private final FileChannel file;
    private final OutputStream out;
    private long[] places = new long[64];
    private long count;
    private long bytes;
    private boolean handedOver;

    SpoolWriter(String directory, Spools spools) throws IOException {
        this.spools = spools;
        parent = Path.of(directory == null ? System.getProperty("java.io.tmpdir") : directory);
        try {
            Files.createDirectories(parent);
            Path path = Files.createTempFile(parent, "weir-dataset-", ".jsonl");
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw noRoom(e);
        }
        out = new BufferedOutputStream(Channels.newOutputStream(file), 256 << 10);
    }

    void add(FileInfo info) throws IOException {
        if (count % Spool.STRIDE == 0) {
            int index = (int) (count / Spool.STRIDE);
            if (index == places.length) {
                places = Arrays.copyOf(places, places.length * 2);
            }
            places[index] = bytes;
        }
        byte[] line = Json.write(info);
        try {
            out.write(line);
            out.write('\n');
        } catch (IOException e) {
            throw noRoom(e);
        }
        bytes += line.length + 1L;
        count++;
    }

    private Transient noRoom(IOException e) {
        spools.free(Math.max(1, bytes));
        return new Transient("cannot keep the dataset in " + parent + " (" + e + "); " + REMEDY, e);
    }

    Spool finish() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw noRoom(e);
        }
        handedOver = true;
        return new Spool(file, places, count, bytes);
    }

    /** Throws the file away, unless it has been finished. */
    @Override
    public void close() throws IOException {
        if (!handedOver) {
            file.close();
        }
    }
}
