package dev.weir.pilot;

import dev.weir.pilot.run.Leftovers;
import dev.weir.pilot.run.RunSettings;
import dev.weir.pilot.uplink.OutboxFiles;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pilot's own directory, {@code <work directory>/<pilot id>}, held by a lock that the system releases when the process dies. {@code
 * run/} holds the job that runs, {@code outbox/} the reports that are not confirmed, {@code address} where they go. A pilot that starts takes
 * over what dead pilots of the same Weir have left beside it.
 */
final class PilotDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PilotDirectory.class);

    /** Lies in a dead pilot's directory while another takes it over, so that a pilot that starts there waits. */
    private static final String TAKING_OVER = "taking-over";

    /** Says to which Weir a directory's reports belong; without a secret. */
    private static final String ADDRESS = "address";

    /** For a lock that another pilot has only to look, or to end. */
    private static final Duration LOCK_WAIT = Duration.ofSeconds(1);

    /** Processes that resist and large directories take long. */
    private static final Duration TAKE_OVER_WAIT = Duration.ofMinutes(1);

    private final Path root;
    private final DirectoryLock lock;

    private PilotDirectory(Path root, DirectoryLock lock) {
        this.root = root;
        this.lock = lock;
    }

    /** Takes the directory; an {@link IOException} when another living pilot has it. */
    static PilotDirectory open(Path workDirectory, String pilotId) throws IOException {
        PrivateDirectory.claim(workDirectory);
        Path root = workDirectory.resolve(pilotId);
        String fault = PrivateDirectory.fault(root);
        if (fault != null) {
            throw new IOException("the pilot's directory " + root + " " + fault + "; remove it, or set --work-dir");
        }
        DirectoryLock lock = DirectoryLock.take(root, LOCK_WAIT);
        if (lock == null) {
            boolean ends = Files.exists(root.resolve(TAKING_OVER));
            lock = DirectoryLock.take(root, ends ? TAKE_OVER_WAIT : Duration.ZERO);
        }
        if (lock == null) {
            throw new IOException("another pilot with the id " + pilotId + " runs in " + workDirectory);
        }
        return new PilotDirectory(root, lock);
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
     * Ends what dead pilots have left running, here and in the directories beside, and moves their unconfirmed reports here. Directories of
     * pilots that reported elsewhere are left to these.
     *
     * @param address where this pilot reports to; a directory beside that names none, as older pilots made them, is taken
     *     for one of the same
     * @return results of attempts that died with their pilot for which the outbox has no room; the others are in it
     */
    List<Result> takeOver(RunSettings settings, String address) throws IOException {
        Files.deleteIfExists(root.resolve("drain"));
        Files.deleteIfExists(root.resolve(TAKING_OVER));
        List<Result> results = new ArrayList<>(clear(root, settings));
        write(root.resolve(ADDRESS), address);
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(root.getParent(), Files::isDirectory)) {
            for (Path sibling : siblings) {
                if (!sibling.equals(root)
                        && isTrusted(sibling)
                        && DirectoryLock.isIn(sibling)
                        && reportsTo(sibling, address)) {
                    results.addAll(takeOver(sibling, settings));
                }
            }
        }
        return results;
    }

    /** Others may have written to the work directory before a pilot closed it to them. */
    private static boolean isTrusted(Path sibling) throws IOException {
        String fault = PrivateDirectory.fault(sibling);
        if (fault != null) {
            LOG.warn("{} {} and is left alone", sibling, fault);
        }
        return fault == null;
    }

    /** Its reports would be lost at another Weir, as those of a test are where the real one runs. */
    private static boolean reportsTo(Path sibling, String address) {
        try {
            String other = Files.readString(sibling.resolve(ADDRESS));
            if (other.isBlank()) {
                // A full disk took nothing of it.
                return true;
            }
            if (!other.equals(address)) {
                LOG.debug("{} is left alone: it is of a pilot that reports to {}", sibling, other);
            }
            return other.equals(address);
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            LOG.warn("{} is left alone: its file {} cannot be read: {}", sibling, ADDRESS, e.toString());
            return false;
        }
    }

    private List<Result> takeOver(Path sibling, RunSettings settings) {
        List<Result> results = new ArrayList<>();
        try (DirectoryLock dead = DirectoryLock.tryTake(sibling, Duration.ZERO)) {
            if (dead == null) {
                return results;
            }
            write(sibling.resolve(TAKING_OVER), "");
            results.addAll(clear(sibling, settings));
            moveReports(sibling.resolve("outbox"));
            if (isEmpty(sibling.resolve("run"))) {
                remove(sibling, dead);
            } else {
                Files.deleteIfExists(sibling.resolve(TAKING_OVER)); // The next pilot that starts tries again.
            }
            LOG.info("Took over the directory of the dead pilot {}", sibling.getFileName());
        } catch (IOException e) {
            LOG.warn("The directory {} of a dead pilot could not be taken over: {}", sibling, e.toString());
        }
        return results;
    }

    private List<Result> clear(Path dead, RunSettings settings) throws IOException {
        Path ofDead = dead.resolve("outbox");
        return Leftovers.clear(
                dead.resolve("run"), settings, result -> OutboxFiles.keepOfDead(result, outbox(), ofDead));
    }

    /** A full disk must not keep the pilot from clearing it. */
    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            LOG.debug("{} cannot be written", file, e);
        }
    }

    /** Removes a directory that holds no work and no reports any more. */
    private static void remove(Path root, DirectoryLock held) throws IOException {
        for (String name : List.of("run", "outbox", "drain", ADDRESS, TAKING_OVER)) {
            Files.deleteIfExists(root.resolve(name));
        }
        held.remove();
        try {
            Files.deleteIfExists(root);
        } catch (DirectoryNotEmptyException e) {
            LOG.debug("Another pilot has taken {} already", root);
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

    /** Leaves nothing, if there is nothing to leave; what waits for confirmation stays. */
    @Override
    public void close() {
        if (!lock.isHeld()) {
            return; // Closed before; another pilot may have it by now.
        }
        try (lock) {
            if (isEmpty(outbox()) && isEmpty(run())) {
                remove(root, lock);
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
