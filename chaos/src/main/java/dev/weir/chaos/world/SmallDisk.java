package dev.weir.chaos.world;

import dev.weir.chaos.plan.How;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of its own for a directory, which can be filled. Only root can mount one. */
final class SmallDisk implements Victim, AutoCloseable {

    private static final String SIZE = "256m";
    private static final int LIMIT_SECONDS = 30;
    private static final byte[] BLOCK = new byte[1 << 20];

    private final Path directory;
    private final boolean mounted;

    SmallDisk(Path directory) throws IOException, InterruptedException {
        this.directory = Files.createDirectories(directory);
        this.mounted = succeeds("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "none", directory.toString());
    }

    /** Whether it can be filled: false without the right to mount. */
    boolean isMounted() {
        return mounted;
    }

    @Override
    public void hit(How how) throws IOException {
        try (OutputStream out = Files.newOutputStream(filling())) {
            for (; ; ) {
                out.write(BLOCK);
            }
        } catch (IOException full) {
            if (Files.size(filling()) == 0) {
                throw new IOException(directory + " cannot be filled", full);
            }
        }
    }

    @Override
    public void heal(How how) throws IOException {
        Files.deleteIfExists(filling());
    }

    private Path filling() {
        return directory.resolve("full");
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /** Its content is gone afterwards. */
    @Override
    public void close() throws IOException, InterruptedException {
        if (mounted && !succeeds("umount", "-l", directory.toString())) {
            throw new IOException(directory + " cannot be unmounted; run umount " + directory);
        }
    }
}
