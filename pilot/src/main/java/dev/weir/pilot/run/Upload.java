package dev.weir.pilot.run;

import dev.weir.pilot.run.StopSignal.StoppedException;
import dev.weir.pilot.storage.Checksum;
import dev.weir.pilot.storage.FileNames;
import dev.weir.pilot.storage.Storages;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;

/** Moves an attempt's output and log to where the job says, under names that carry the writer; remembers what is there. */
final class Upload {

    /** A file that is there; all null when there is none. */
    record Stored(String url, Long size, String checksum) {
        static final Stored NOTHING = new Stored(null, null, null);
    }

    private final Storages storages;
    private final RunSettings settings;
    private final String writer;
    private Stored output = Stored.NOTHING;
    private Stored log = Stored.NOTHING;

    Upload(Storages storages, RunSettings settings, String writer) {
        this.storages = storages;
        this.settings = settings;
        this.writer = writer;
    }

    /** The output of a failed program counts only when there is something in it. */
    void output(Path file, String url, boolean finished, StopSignal stop) throws IOException, StoppedException {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && (finished || Files.size(file) > 0)) {
            output = store("uploading the output", file, url, settings.transferTimeout(), stop);
        }
    }

    void log(Path file, String url, Duration timeout, StopSignal stop) throws IOException, StoppedException {
        log = store("uploading the log", file, url, timeout, stop);
    }

    Stored output() {
        return output;
    }

    Stored log() {
        return log;
    }

    private Stored store(String what, Path file, String url, Duration timeout, StopSignal stop)
            throws IOException, StoppedException {
        String target = FileNames.withWriter(url, writer);
        Transfers transfers = new Transfers(settings.transferTries(), settings.transferPause(), stop);
        transfers.run(what + " to " + target, timeout, () -> storages.store(file, target));
        return new Stored(target, Files.size(file), Checksum.sha256(file).toString());
    }

    /** The program's own log, then what it printed, in one bounded file. */
    Path joined(Path own, Path captured, long maxBytes) throws IOException {
        if (!Files.isRegularFile(own, LinkOption.NOFOLLOW_LINKS)) {
            return captured;
        }
        Path both = captured.resolveSibling("joined.log");
        try (BoundedLog log = new BoundedLog(both, maxBytes)) {
            append(own, log);
            log.line("weir: below is what the program printed");
            append(captured, log);
        }
        return both;
    }

    private static void append(Path file, BoundedLog log) throws IOException {
        byte[] buffer = new byte[64 << 10];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                log.write(buffer, 0, read);
            }
        }
    }
}
