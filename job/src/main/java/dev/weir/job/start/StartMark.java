package dev.weir.job.start;

import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.options.Secrets;
import dev.weir.sql.LastStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recognises state behind which Weir has gone on elsewhere: on a host that comes back after another took its place, or in a copy. Each start
 * leaves a random id in the job's directory and in the database. A directory that has ids, and not the last one, is of an earlier start. One
 * without any was made by hand, for a savepoint that was moved, or by a version that left none: it is taken, if there is a checkpoint in it.
 * Otherwise it is probably not mounted.
 */
public final class StartMark {

    private static final Logger LOG = LoggerFactory.getLogger(StartMark.class);
    static final String PREFIX = "started-";

    private final WeirJob job;
    private final Configuration settings;
    private final Path directory;

    private StartMark(WeirJob job, Configuration settings, Path directory) {
        this.job = job;
        this.settings = settings;
        this.directory = directory;
    }

    /**
     * What {@link #put} marks, once this start takes the job over. Empty when there is no mirror or the database does not answer: then nothing
     * is recognised.
     *
     * @throws IOException if the state is of an earlier start, or there is none and the database does not answer, and the operator has not said
     *     that it counts all the same
     */
    public static Optional<StartMark> check(WeirJob job, Configuration settings, StartFrom wanted) throws IOException {
        Optional<String> root = settings.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
        if (root.isEmpty() || !settings.get(MirrorOptions.ENABLED)) {
            return Optional.empty();
        }
        StartMark mark = new StartMark(job, settings, new Path(root.get(), job.name()));
        Optional<LastStart> last;
        try {
            last = LastStart.of(
                    job.name(), settings.get(MirrorOptions.URL), settings.get(MirrorOptions.USER), mark.password());
        } catch (SQLException e) {
            if (!wanted.acceptLoss() && JobStart.isBeginning(job, settings, wanted)) {
                throw cannotTell(job, settings, e);
            }
            LOG.warn(
                    "The database cannot say whether job {} was started elsewhere since: {}",
                    job.name(),
                    e.getMessage());
            return Optional.empty();
        }
        if (last.isPresent() && !wanted.fresh() && !wanted.acceptLoss() && !mark.beginsWith(wanted)) {
            mark.require(last.get(), wanted);
        }
        return Optional.of(mark);
    }

    /** Why a job without state is not started while the database does not answer. */
    public static IOException cannotTell(WeirJob job, Configuration settings, SQLException why) {
        return new IOException(
                "there is no checkpoint in "
                        + new Path(settings.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY), job.name()) + ", so job "
                        + job.name()
                        + " would start with empty state, and the database cannot say what that would lose: "
                        + why.getMessage()
                        + ". Start PostgreSQL first. To begin without it, start once with --accept-loss"
                        + (job.equals(WeirJob.QUEUES)
                                ? "; to go on without queues, set " + QueueOptions.ENABLED.key() + " to false"
                                : ""),
                why);
    }

    /** Whether the start names a checkpoint for the first time: the same command after a crash says nothing about the state of then. */
    private boolean beginsWith(StartFrom wanted) throws IOException {
        Optional<Path> given = wanted.of(job);
        if (given.isEmpty() || History.of(directory).from().equals(given)) {
            return false;
        }
        // Or a wrong name would mark a directory in which there is nothing.
        JobDirectory.requireComplete(given.get());
        return true;
    }

    private void require(LastStart last, StartFrom wanted) throws IOException {
        Set<String> known = ids();
        if (known.isEmpty() && JobStart.isBeginning(job, settings, wanted)) {
            throw new IOException("there is no checkpoint in " + directory + ", so job " + job.name()
                    + " would start with empty state, but the database shows an earlier start of it: " + last.id()
                    + " at " + last.words()
                    + ". What it knows would be lost. Mount that directory, or set "
                    + CheckpointingOptions.CHECKPOINTS_DIRECTORY.key() + " to the one of that start, or name a"
                    + " checkpoint with --from " + job.name()
                    + "=PATH. To begin without it, start once with --accept-loss"
                    + " (--fresh takes the state of all jobs away)");
        }
        if (!known.isEmpty() && !known.contains(last.id())) {
            throw new IOException("the state in " + directory + " is of start " + String.join(", ", known)
                    + ", but the database shows a later start of job " + job.name() + ": " + last.id() + " at "
                    + last.words()
                    + ". What was acknowledged since would be lost, and what has finished would run again."
                    + " Start Weir there, with that directory. To go on from here all the same, start once with"
                    + " --accept-loss, or name another checkpoint with --from " + job.name() + "=PATH");
        }
    }

    /** From now on only this directory has the job's state. A crash in the midst of it leaves the earlier id in both places. */
    public void put() throws IOException {
        Set<String> earlier = ids();
        String id = UUID.randomUUID().toString();
        FileSystem files = directory.getFileSystem();
        files.mkdirs(directory);
        try (FSDataOutputStream out = files.create(new Path(directory, PREFIX + id), WriteMode.NO_OVERWRITE)) {
            out.write(id.getBytes(StandardCharsets.UTF_8));
        }
        try {
            LastStart.put(
                    job.name(),
                    id,
                    directory.toString(),
                    settings.get(MirrorOptions.URL),
                    settings.get(MirrorOptions.USER),
                    password());
        } catch (SQLException e) {
            LOG.warn("The start of job {} is not in the database: {}", job.name(), e.getMessage());
            return;
        }
        for (String old : earlier) {
            files.delete(new Path(directory, PREFIX + old), false);
        }
    }

    private Set<String> ids() throws IOException {
        Set<String> ids = new TreeSet<>();
        for (FileStatus file : Checkpoints.list(directory.getFileSystem(), directory)) {
            String name = file.getPath().getName();
            if (name.startsWith(PREFIX)) {
                ids.add(name.substring(PREFIX.length()));
            }
        }
        return ids;
    }

    private String password() {
        return Secrets.read(settings, MirrorOptions.PASSWORD_FILE, MirrorOptions.PASSWORD);
    }
}
