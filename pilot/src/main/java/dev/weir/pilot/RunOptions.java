package dev.weir.pilot;

import dev.weir.pilot.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** The limits of one job. */
final class RunOptions {

    @Option(
            names = "--max-log",
            paramLabel = "SIZE",
            defaultValue = "16M",
            converter = BytesOption.class,
            description = "Longest log; of a longer one the middle is left out and marked. Default: ${DEFAULT-VALUE}.")
    private long maxLogBytes;

    @Option(
            names = "--max-output",
            paramLabel = "SIZE",
            defaultValue = "100G",
            converter = BytesOption.class,
            description = "Longest output; a program that writes more is ended, and its job fails."
                    + " Default: ${DEFAULT-VALUE}.")
    private long maxOutputBytes;

    @Option(
            names = "--max-input",
            paramLabel = "SIZE",
            defaultValue = "1T",
            converter = BytesOption.class,
            description = "Longest input when the job does not give its size. Default: ${DEFAULT-VALUE}.")
    private long maxInputBytes;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            defaultValue = "0",
            converter = BytesOption.class,
            description =
                    "Most memory of one job, all its processes together, looked at once a second; a job with more is ended as oom."
                            + " Linux only. 0 means no limit. Default: ${DEFAULT-VALUE}.")
    private long maxMemoryBytes;

    @Option(
            names = "--min-free-disk",
            paramLabel = "SIZE",
            defaultValue = "64M",
            converter = BytesOption.class,
            description =
                    "With less free in --work-dir a job ends as disk_full, also while it runs. Default: ${DEFAULT-VALUE}.")
    private long minFreeBytes;

    @Option(
            names = "--transfer-timeout",
            paramLabel = "TIME",
            defaultValue = "1h",
            converter = DurationOption.class,
            description = "Longest time for moving one file, all tries together. Default: ${DEFAULT-VALUE}.")
    private Duration transferTimeout;

    @Option(
            names = "--transfer-tries",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often a failing transfer is tried. Default: ${DEFAULT-VALUE}.")
    private int transferTries;

    @Option(
            names = "--kill-grace",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = DurationOption.class,
            description =
                    "Between SIGTERM and SIGKILL for a job's processes; before that, as long for processes that its program left behind and"
                            + " that still write the output: if they do not end, the job fails. Default: ${DEFAULT-VALUE}.")
    private Duration killGrace;

    RunSettings settings(List<Path> executables) {
        return new RunSettings(
                executables,
                maxLogBytes,
                maxOutputBytes,
                maxInputBytes,
                maxMemoryBytes,
                minFreeBytes,
                transferTimeout,
                transferTries,
                RunSettings.TRANSFER_PAUSE,
                killGrace,
                RunSettings.STOP_UPLOAD,
                0);
    }
}
