package dev.weir.pilot.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a pilot runs jobs.
 *
 * @param executables directories; only programs in them are run
 * @param maxLogBytes longest log that is uploaded
 * @param maxOutputBytes longest output; a program that writes more has failed
 * @param maxInputBytes longest input file when the job does not give its size
 * @param maxMemoryBytes of all processes of a job together; a job that has more has failed. 0: no limit
 * @param minFreeBytes below it on the working disk no job starts, and a job that runs ends as {@code disk_full}
 * @param transferTimeout longest time for moving one file, all tries together
 * @param transferTries how often a transfer is tried
 * @param transferPause before the second try; doubles with every further one
 * @param killGrace between asking processes to end and ending them
 * @param stopUpload longest time for uploading the log of a stopped job
 * @param slot which slot of its process the pilot has, from 0; jobs see it
 */
public record RunSettings(
        List<Path> executables,
        long maxLogBytes,
        long maxOutputBytes,
        long maxInputBytes,
        long maxMemoryBytes,
        long minFreeBytes,
        Duration transferTimeout,
        int transferTries,
        Duration transferPause,
        Duration killGrace,
        Duration stopUpload,
        int slot) {

    public static final long MIN_LOG_BYTES = 1024;
    public static final long MAX_LOG_BYTES = 16L << 20;
    public static final long MAX_OUTPUT_BYTES = 100L << 30;
    public static final long MAX_INPUT_BYTES = 1L << 40;
    public static final long MIN_FREE_BYTES = 64L << 20;
    public static final Duration TRANSFER_TIMEOUT = Duration.ofHours(1);
    public static final int TRANSFER_TRIES = 3;
    public static final Duration TRANSFER_PAUSE = Duration.ofSeconds(1);
    public static final Duration KILL_GRACE = Duration.ofSeconds(5);
    public static final Duration STOP_UPLOAD = Duration.ofSeconds(10);

    public RunSettings {
        executables = List.copyOf(executables);
        if (maxLogBytes < MIN_LOG_BYTES) {
            throw new IllegalArgumentException("a log needs at least " + MIN_LOG_BYTES + " bytes, got " + maxLogBytes);
        }
        if (maxMemoryBytes > 0 && !MemoryUse.isKnown()) {
            throw new IllegalArgumentException(
                    "--max-memory needs /proc/self/smaps_rollup, which this system does not have; leave it out");
        }
        if (transferTries < 1) {
            throw new IllegalArgumentException("transferTries must be at least 1, got " + transferTries);
        }
    }

    /** All defaults. */
    public static RunSettings of(List<Path> executables) {
        return new RunSettings(
                executables,
                MAX_LOG_BYTES,
                MAX_OUTPUT_BYTES,
                MAX_INPUT_BYTES,
                0,
                MIN_FREE_BYTES,
                TRANSFER_TIMEOUT,
                TRANSFER_TRIES,
                TRANSFER_PAUSE,
                KILL_GRACE,
                STOP_UPLOAD,
                0);
    }

    /** The same for another slot. */
    public RunSettings withSlot(int other) {
        return new RunSettings(
                executables,
                maxLogBytes,
                maxOutputBytes,
                maxInputBytes,
                maxMemoryBytes,
                minFreeBytes,
                transferTimeout,
                transferTries,
                transferPause,
                killGrace,
                stopUpload,
                other);
    }
}
