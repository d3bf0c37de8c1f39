package dev.weir.pilot.run;

import dev.weir.pilot.run.StopSignal.StoppedException;
import dev.weir.pilot.storage.Checksum;
import dev.weir.pilot.storage.FileNames;
import dev.weir.pilot.storage.MissingFileException;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Urls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Moves a job's input to the working disk and checks it. */
final class StageIn {

    private final Job job;
    private final Storages storages;
    private final RunSettings settings;
    private final StopSignal stop;
    private final Watchdog watchdog;

    StageIn(Job job, Storages storages, RunSettings settings, StopSignal stop, Watchdog watchdog) {
        this.job = job;
        this.storages = storages;
        this.settings = settings;
        this.stop = stop;
        this.watchdog = watchdog;
    }

    /** The local files, in the job's order. A Map input keeps its name; Merge inputs get their number before it. */
    List<Path> into(Path directory) throws AttemptFailure, StoppedException {
        long inputs = job.fileInSizes().stream().mapToLong(Long::longValue).sum();
        long needed = (job.fileInSize() == null ? inputs : job.fileInSize()) + settings.minFreeBytes();
        long free = DiskFull.freeBytes(directory);
        if (free < needed) {
            throw new AttemptFailure(
                    ErrorType.DISK_FULL,
                    "the working disk has " + free + " bytes free; the job needs " + needed + " (see --min-free-disk)");
        }
        if (job.mode() == Mode.MAP) {
            Path target = directory.resolve(FileNames.local(job.fileInUrl()));
            fetch(job.fileInUrl(), target, job.fileInSize());
            verifySize(job.fileInUrl(), target, job.fileInSize());
            verifyChecksum(target);
            return List.of(target);
        }
        List<Path> targets = new ArrayList<>();
        for (String url : job.fileInUrls()) {
            int number = targets.size();
            boolean sized = job.fileInSizes().size() == job.fileInUrls().size();
            Long size = sized ? job.fileInSizes().get(number) : null;
            Path target = directory.resolve(String.format("%05d-%s", number, FileNames.local(url)));
            fetch(url, target, size);
            verifySize(url, target, size);
            targets.add(target);
        }
        return targets;
    }

    private void fetch(String url, Path target, Long size) throws AttemptFailure, StoppedException {
        watchdog.begin("fetching " + Urls.withoutSecrets(url), settings.transferTimeout());
        long maxBytes = size == null ? settings.maxInputBytes() : size;
        try {
            new Transfers(settings.transferTries(), settings.transferPause(), stop, () -> shortage(target))
                    .run("fetching the input", url, settings.transferTimeout(), () -> {
                        Files.deleteIfExists(target);
                        storages.fetch(url, target, maxBytes);
                    });
        } catch (IOException e) {
            throw new AttemptFailure(typeOf(e), e.getMessage(), e);
        }
    }

    private static ErrorType typeOf(IOException failure) {
        if (DiskFull.isCause(failure)) {
            return ErrorType.DISK_FULL;
        }
        return MissingFileException.isCause(failure) ? ErrorType.MISSING : ErrorType.STAGE_IN;
    }

    private DiskFull shortage(Path target) {
        return DiskFull.below(settings.minFreeBytes(), target.getParent());
    }

    private void verifySize(String url, Path file, Long size) throws AttemptFailure {
        watchdog.begin("the check of " + Urls.withoutSecrets(url), settings.transferTimeout());
        try {
            if (size != null && Files.size(file) != size) {
                throw new AttemptFailure(
                        ErrorType.STAGE_IN, url + " has " + Files.size(file) + " bytes; the job says " + size);
            }
        } catch (IOException e) {
            throw new AttemptFailure(ErrorType.STAGE_IN, "checking " + url + ": " + e.getMessage(), e);
        }
    }

    /** Reading it again may take as long as a transfer, so it ends as one does: at a stop, and at the time-out. */
    private void verifyChecksum(Path file) throws AttemptFailure, StoppedException {
        if (job.fileInChecksum() == null || job.fileInChecksum().isBlank()) {
            return;
        }
        watchdog.begin("the check of the input", settings.transferTimeout());
        String url = job.fileInUrl();
        AtomicReference<Checksum> found = new AtomicReference<>();
        Checksum expected;
        try {
            expected = Checksum.parse(job.fileInChecksum());
            new Transfers(1, settings.transferPause(), stop)
                    .run("checking the input", url, settings.transferTimeout(), () -> {
                        found.set(Checksum.of(file, expected.algorithm()));
                    });
        } catch (IOException e) {
            throw new AttemptFailure(ErrorType.STAGE_IN, e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new AttemptFailure(ErrorType.STAGE_IN, "checking " + url + ": " + e.getMessage(), e);
        }
        if (!found.get().equals(expected)) {
            throw new AttemptFailure(
                    ErrorType.STAGE_IN, url + " has the checksum " + found.get() + "; the job says " + expected);
        }
    }
}
