package dev.weir.pilot.run;

import dev.weir.pilot.run.StopSignal.Cause;
import dev.weir.pilot.run.StopSignal.Stop;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cleans up after a pilot that died with a job: ends its processes, removes its files, and says that the attempt was killed. */
public final class Leftovers {

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private static final int SHOWN_CHARACTERS = 500;

    private Leftovers() {}

    /** Removes an attempt's directory. */
    interface Remover {
        void remove(Path directory) throws IOException;
    }

    /**
     * Clears a directory of attempts whose pilot is dead. What cannot be cleared is named in the log and left for the next start: it
     * keeps no pilot from working.
     *
     * @param keep puts a result that Weir must hear on the disk, one for each attempt, and says whether it is there
     * @return the results that are not; the removal may have made room for them
     */
    public static List<Result> clear(Path attempts, RunSettings settings, Predicate<Result> keep) throws IOException {
        return clear(attempts, settings, keep, AttemptDirectory::delete);
    }

    static List<Result> clear(Path attempts, RunSettings settings, Predicate<Result> keep, Remover remover)
            throws IOException {
        List<Result> results = new ArrayList<>();
        if (!Files.isDirectory(attempts)) {
            return results;
        }
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(attempts)) {
            for (Path directory : directories) {
                clear(directory, settings, keep, remover, results);
            }
        } catch (DirectoryIteratorException e) {
            LOG.warn(
                    "Directory {} cannot be listed completely: {}",
                    attempts,
                    e.getCause().toString());
        }
        return results;
    }

    private static void clear(
            Path directory, RunSettings settings, Predicate<Result> keep, Remover remover, List<Result> results) {
        try {
            AttemptRecord record = AttemptRecord.read(directory);
            if (record != null) {
                end(record, settings.killGrace());
                Result killed = killed(record, settings);
                if (!keep.test(killed)) {
                    results.add(killed);
                }
                // The next start may find the rest of the directory, and must not report the same again.
                AttemptRecord.forget(directory);
            }
        } catch (IOException e) {
            LOG.warn("The record of a dead pilot's job in {} cannot be used: {}", directory, e.toString());
        }
        try {
            remover.remove(directory);
        } catch (IOException e) {
            LOG.warn("Directory {} cannot be deleted and stays until the next start: {}", directory, shown(e));
        }
    }

    /** A path in it may be as long as a program likes. */
    private static String shown(IOException failure) {
        String text = failure.toString();
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
    }

    private static void end(AttemptRecord record, Duration grace) {
        Set<ProcessHandle> immortal = new ProcessTree(record.process(), record.mark()).end(grace);
        LOG.warn(
                "Job {}, attempt {}, was left by the dead pilot {}; its processes were ended{}",
                record.jobUid(),
                record.attempt(),
                record.pilotId(),
                immortal.isEmpty() ? "" : ", but for " + immortal);
    }

    private static Result killed(AttemptRecord record, RunSettings settings) {
        Upload nothing = new Upload(new Storages(List.of()), settings, record.pilotId());
        return Ending.of(new Stop(Cause.SHUTDOWN, "the pilot died while it ran the job"))
                .toResult(record, null, nothing);
    }
}
