package dev.weir.pilot.run;

import dev.weir.pilot.run.StopSignal.StoppedException;
import dev.weir.pilot.storage.Checksum;
import dev.weir.pilot.storage.FileNames;
import dev.weir.pilot.storage.RefusedException;
import dev.weir.pilot.storage.Storages;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

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

    /** Its checksum is made before, so that what is reported is what was there to upload. */
    private Stored store(String what, Path file, String url, Duration timeout, StopSignal stop)
            throws IOException, StoppedException {
        String target = FileNames.withWriter(url, writer);
        AtomicReference<Stored> stored = new AtomicReference<>();
        Transfers transfers = new Transfers(settings.transferTries(), settings.transferPause(), stop);
        transfers.run(what, target, timeout, () -> {
            if (stored.get() == null) {
                String checksum = Checksum.sha256(file).toString();
                stored.set(new Stored(target, Files.size(file), checksum));
            }
            storages.store(file, target);
            if (Files.size(file) != stored.get().size()) {
                throw new RefusedException(file + " changed while it was uploaded");
            }
        });
        return stored.get();
    }

    /**
     * Writes the log as it is to be uploaded, to a file that no program has seen.
     *
     * @param own the program's own log, which comes first; null when it has none
     * @param captured what it printed
     */
    Path gather(Path directory, Path own, BoundedLog captured) throws IOException {
        Path file = directory.resolve("upload-" + UUID.randomUUID() + ".log");
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            if (own == null || !Files.isRegularFile(own, LinkOption.NOFOLLOW_LINKS)) {
                captured.writeTo(out);
                return file;
            }
            Path aside = directory.resolve("joined-" + UUID.randomUUID() + ".log");
            try (BoundedLog both = new BoundedLog(aside, settings.maxLogBytes());
                    SeekableByteChannel in =
                            Files.newByteChannel(own, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                both.append(in);
                both.line("weir: below is what the program printed");
                captured.writeTo(both);
                both.writeTo(out);
            }
        }
        return file;
    }
}
