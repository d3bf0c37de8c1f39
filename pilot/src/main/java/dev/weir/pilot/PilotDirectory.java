package dev.weir.pilot;

import dev.weir.pilot.run.Leftovers;
import dev.weir.pilot.run.RunSettings;
import dev.weir.protocol.Report;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pilot's own directory, {@code <work directory>/<pilot id>}, held by a lock that the system releases when the process dies. {@code
 * run/} holds the job that runs, {@code outbox/} the reports that are not confirmed. A pilot that starts takes over what dead pilots
 * have left beside it.
 */
final class PilotDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PilotDirectory.class);
    private static final String LOCK = "lock";

    private final Path root;
    private final FileChannel channel;

    private PilotDirectory(Path root, FileChannel channel) {
        this.root = root;
        this.channel = channel;
    }

    /** Takes the directory; an {@link IOException} when another living pilot has it. */
    static PilotDirectory open(Path workDirectory, String pilotId) throws IOException {
        Files.createDirectories(workDirectory);
        if (!Files.isWritable(workDirectory)) {
            throw new IOException("the work directory " + workDirectory + " belongs to "
                    + Files.getOwner(workDirectory).getName() + " and cannot be written; set --work-dir");
        }
        Path root = workDirectory.resolve(pilotId);
        FileChannel channel = lock(root);
        if (channel == null) {
            throw new IOException("another pilot with the id " + pilotId + " runs in " + workDirectory);
        }
        return new PilotDirectory(root, channel);
    }

    Path run() {
        return root.resolve("run");
    }

    Path outbox() {
        return root.resolve("outbox");
    }

    /** A look at this file is how an administrator drains a pilot: {@code touch <work directory>/<pilot id>/drain}. */
    boolean hasDrainFile() {
        return Files.exists(root.resolve("drain"));
    }

    /**
     * Ends what dead pilots have left running, here and in the directories beside, and moves their unconfirmed reports here.
     *
     * @return results to send for attempts that died with their pilot
     */
    List<Report> takeOver(RunSettings settings) throws IOException {
        Files.deleteIfExists(root.resolve("drain"));
        List<Report> results = new ArrayList<>(Leftovers.clear(run(), settings));
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(root.getParent(), Files::isDirectory)) {
            for (Path sibling : siblings) {
                if (!sibling.equals(root) && Files.exists(sibling.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
                    results.addAll(takeOver(sibling, settings));
                }
            }
        }
        return results;
    }

    private List<Report> takeOver(Path sibling, RunSettings settings) throws IOException {
        FileChannel dead = lock(sibling);
        if (dead == null) {
            return List.of();
        }
        try (dead) {
            List<Report> results = Leftovers.clear(sibling.resolve("run"), settings);
            moveReports(sibling.resolve("outbox"));
            Files.deleteIfExists(sibling.resolve("run"));
            Files.deleteIfExists(sibling.resolve("outbox"));
            Files.deleteIfExists(sibling.resolve("drain"));
            Files.deleteIfExists(sibling.resolve(LOCK));
            Files.deleteIfExists(sibling);
            LOG.info("Took over what the pilot {} had left", sibling.getFileName());
            return results;
        } catch (IOException e) {
            LOG.warn("What a dead pilot left in {} could not be taken over: {}", sibling, e.toString());
            return List.of();
        }
    }

    private void moveReports(Path from) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        Files.createDirectories(outbox());
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.move(file, outbox().resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /** Null when a living pilot holds it. */
    private static FileChannel lock(Path root) throws IOException {
        Files.createDirectories(root);
        FileChannel channel = FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Held by another pilot in this process.
        }
        channel.close();
        return null;
    }

    /** Leaves nothing, if there is nothing to leave; what waits for confirmation stays. */
    @Override
    public void close() {
        try (channel) {
            if (isEmpty(outbox()) && isEmpty(run())) {
                Files.deleteIfExists(run());
                Files.deleteIfExists(outbox());
                Files.deleteIfExists(root.resolve("drain"));
                Files.deleteIfExists(root.resolve(LOCK));
                Files.deleteIfExists(root);
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be cleaned up: {}", root, e.toString());
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return true;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }
}
