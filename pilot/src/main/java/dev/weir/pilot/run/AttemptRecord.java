package dev.weir.pilot.run;

import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a pilot writes beside a running attempt, so that after its own sudden death another pilot (or itself, started again) can end
 * the processes and report to Weir.
 *
 * @param mark of the attempt's processes, see {@link ProcessTree#MARK}
 * @param pid the program's process; null before it is started
 * @param pidStartedAt distinguishes that process from a later one with the same number; null when the system does not give it
 */
record AttemptRecord(
        String pilotId,
        String pool,
        String jobUid,
        Integer attempt,
        String route,
        String mark,
        Instant startedAt,
        Long pid,
        Instant pidStartedAt) {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptRecord.class);
    private static final String FILE = "attempt.json";

    static AttemptRecord of(Job job, String pilotId, String pool, String mark, Instant startedAt) {
        return new AttemptRecord(pilotId, pool, job.uid(), job.attempt(), job.route(), mark, startedAt, null, null);
    }

    AttemptRecord started(ProcessHandle process) {
        Instant since = process.info().startInstant().orElse(null);
        return new AttemptRecord(pilotId, pool, jobUid, attempt, route, mark, startedAt, process.pid(), since);
    }

    void write(Path directory) throws IOException {
        Path aside = directory.resolve(FILE + ".part");
        Files.write(aside, Json.write(this));
        Files.move(aside, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** As {@link #write}; but a job that runs is not stopped because this fails. */
    void rewrite(Path directory) {
        try {
            write(directory);
        } catch (IOException e) {
            LOG.warn("The process of job {} cannot be recorded: {}", jobUid, e.toString());
        }
    }

    /** The record in an attempt's directory; null when there is none that can be read. */
    static AttemptRecord read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        try {
            AttemptRecord record = Json.read(Files.readAllBytes(file), AttemptRecord.class);
            return record.mark == null || record.jobUid == null ? null : record;
        } catch (InvalidMessage e) {
            LOG.warn("{} cannot be read: {}", file, e.getMessage());
            return null;
        }
    }

    static void forget(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
    }

    /** The program, if it lives still and is no other process that has got its number; else null. */
    ProcessHandle process() {
        if (pid == null) {
            return null;
        }
        return ProcessHandle.of(pid)
                .filter(process -> pidStartedAt != null
                        && process.info()
                                .startInstant()
                                .map(pidStartedAt::equals)
                                .orElse(false))
                .orElse(null);
    }
}
