package dev.weir.pilot.run;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A pipe for what a program prints. Java empties and closes a pipe of its own as soon as the program ends, though processes that it
 * left behind may still write; this one ends when the last of them has closed it. It needs the system's {@code mkfifo}.
 */
final class NamedPipe implements Closeable {

    private final File file;

    /** Open for both, so that neither end waits for the other. */
    private final RandomAccessFile both;

    private final InputStream reader;

    private NamedPipe(File file) throws IOException {
        this.file = file;
        this.both = new RandomAccessFile(file, "rw");
        try {
            // A channel, because closing it ends a read that waits.
            this.reader = Channels.newInputStream(FileChannel.open(file.toPath(), StandardOpenOption.READ));
        } catch (IOException e) {
            both.close();
            throw e;
        }
    }

    /** Null where none can be made: a file system may have no such files. */
    static NamedPipe create(Path path) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("mkfifo", "-m", "600", path.toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
        try {
            Process mkfifo = builder.redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            return mkfifo.waitFor() == 0 ? new NamedPipe(path.toFile()) : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    Redirect writer() {
        return Redirect.to(file);
    }

    /** Ends when no process has the pipe open for writing, once it is closed here; or when the reader is closed, in whatever thread. */
    InputStream reader() {
        return reader;
    }

    /** To call when the program has started, or cannot: the reader stays open. */
    @Override
    public void close() throws IOException {
        both.close();
        Files.deleteIfExists(file.toPath());
    }
}
