package dev.weir.job.start;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one job's checkpoints, over all its starts. When a start names a checkpoint or savepoint, a {@link History} records
 * which: a supervisor that repeats the command after a crash must not send the job back to that point. The checkpoints that were there
 * belong to an abandoned history.
 */
final class JobDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(JobDirectory.class);

    private final Path directory;
    private final boolean acceptLoss;
    private final WaysOut waysOut;

    /**
     * @param acceptLoss whether to go behind a damaged checkpoint, although messages were acknowledged since the one before it
     * @param waysOut the remedies named in the message about a damaged checkpoint
     */
    JobDirectory(Path directory, boolean acceptLoss, WaysOut waysOut) {
        this.directory = directory;
        this.acceptLoss = acceptLoss;
        this.waysOut = waysOut;
    }

    /** The starting point: the newest complete checkpoint or savepoint of the current history, else the one that it began from. */
    Optional<Path> newest() throws IOException {
        History history = History.of(directory);
        List<Path> candidates = new ArrayList<>(Checkpoints.newestFirst(directory));
        candidates.removeAll(history.never());
        history.from().filter(path -> !candidates.contains(path)).ifPresent(candidates::add);
        List<Path> damaged = new ArrayList<>();
        Exception first = null;
        for (Path candidate : candidates) {
            Optional<Exception> damage = Checkpoints.damage(candidate);
            if (damage.isEmpty()) {
                if (!damaged.isEmpty()) {
                    goBehind(damaged, first, candidate, history);
                }
                return Optional.of(candidate);
            }
            first = damaged.isEmpty() ? damage.get() : first;
            damaged.add(candidate);
        }
        if (first == null) {
            return Optional.empty();
        }
        throw refusal(first, "No older one can be restored");
    }

    /** Work that was acknowledged since is nowhere else, so only an operator may decide that. */
    private void goBehind(List<Path> damaged, Exception first, Path older, History history) throws IOException {
        if (!acceptLoss) {
            throw refusal(first, "The newest one that can be restored is " + older);
        }
        LOG.error(
                "The newest checkpoint of job {} is damaged ({}). As accepted, the job continues from the older {} and has lost the"
                        + " tasks, commands and reports that it acknowledged since",
                directory.getName(),
                damaged,
                older,
                first);
        Set<Path> never = new HashSet<>(history.never());
        never.addAll(damaged);
        new History(history.from(), never, history.used()).write(directory);
    }

    /** Begins a new history with this checkpoint or savepoint, or continues the history that began with it. */
    Optional<Path> from(Path given) throws IOException {
        History history = History.of(directory);
        if (history.from().filter(given::equals).isPresent()) {
            return newest();
        }
        requireComplete(given);
        Optional<Exception> damage = Checkpoints.damage(given);
        if (damage.isPresent()) {
            throw refusal(damage.get(), "It was named for this start");
        }
        Set<Path> never = new HashSet<>(Checkpoints.newestFirst(directory));
        never.remove(given);
        new History(Optional.of(given), never, history.used()).write(directory);
        return Optional.of(given);
    }

    static void requireComplete(Path given) throws IOException {
        if (!Checkpoints.isComplete(given)) {
            throw new IOException("there is no complete checkpoint or savepoint at " + given + ": it has no file "
                    + Checkpoints.METADATA);
        }
    }

    /**
     * Notes which savepoint of this directory a start continues from, and deletes those that earlier starts continued from and that are older
     * than what this one continues from. Flink itself would keep them, because a job must not claim a savepoint.
     */
    void continueFrom(Path start) throws IOException {
        History history = History.of(directory);
        Set<Path> used = new HashSet<>(history.used());
        if (!used.isEmpty()) {
            // One that is not older has what this start goes behind, or an earlier one went: it may have been named by
            // mistake.
            List<Path> all = Checkpoints.newestFirst(directory);
            int place = all.indexOf(start);
            used.removeIf(savepoint -> place >= 0
                    && all.indexOf(savepoint) > place
                    && history.from().filter(savepoint::equals).isEmpty()
                    && !history.never().contains(savepoint)
                    && deleted(savepoint));
            used.removeIf(savepoint -> !all.contains(savepoint));
        }
        if (isInside(start) && Checkpoints.isSavepoint(start)) {
            used.add(start);
        }
        if (!used.equals(history.used())) {
            new History(history.from(), history.never(), used).write(directory);
        }
    }

    private static boolean deleted(Path savepoint) {
        try {
            FileSystem files = savepoint.getFileSystem();
            return files.delete(savepoint, true) || !files.exists(savepoint);
        } catch (IOException e) {
            LOG.warn(
                    "Cannot delete the savepoint {}, which is no longer needed; the next start tries again",
                    savepoint,
                    e);
            return false;
        }
    }

    /** Whether it is one of this job's own. */
    boolean isInside(Path checkpoint) {
        return checkpoint.toString().startsWith(directory + Path.SEPARATOR);
    }

    private IOException refusal(Exception why, String more) {
        return new IOException(
                "the checkpoint from which job " + directory.getName() + " continues is damaged: " + why.getMessage()
                        + ". " + more + ". Restore that file; or " + waysOut.of(directory.getName()),
                why);
    }

    /** Renames the directory if it exists, so that a start with empty state never finds old checkpoints. The id of this start stays. */
    void setAside() throws IOException {
        FileSystem files = directory.getFileSystem();
        if (!files.exists(directory)) {
            return;
        }
        Path aside = new Path(directory.getParent(), directory.getName() + ".before-" + System.currentTimeMillis());
        if (!files.rename(directory, aside)) {
            throw new IOException("cannot rename " + directory + " to " + aside + "; move or delete it by hand");
        }
        for (FileStatus file : Checkpoints.list(files, aside)) {
            String name = file.getPath().getName();
            if (name.startsWith(StartMark.PREFIX)) {
                files.mkdirs(directory);
                files.rename(file.getPath(), new Path(directory, name));
            }
        }
    }
}
