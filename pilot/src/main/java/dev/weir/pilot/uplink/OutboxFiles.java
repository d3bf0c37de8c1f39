package dev.weir.pilot.uplink;

import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports on disk until the broker has confirmed them: one file each, named so that they sort in the order they were made. */
public final class OutboxFiles {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxFiles.class);
    private static final String ENDING = ".json";
    private static final String BAD = ".bad";
    private static final String ASIDE = ".part";

    private final Path directory;
    private long lastStamp;

    OutboxFiles(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    /**
     * Keeps the result of an attempt that died with its pilot, in an outbox that is not open yet; but if the pilot has kept a result before, that
     * one counts.
     *
     * @param ofDead the outbox of the pilot that died; it may be the same
     * @return whether a result is on disk
     */
    public static boolean keepOfDead(Result result, Path directory, Path ofDead) {
        try {
            OutboxFiles files = new OutboxFiles(directory);
            return files.hasResult(result)
                    || Files.isDirectory(ofDead) && new OutboxFiles(ofDead).hasResult(result)
                    || files.keep(Json.write(result)) != null;
        } catch (IOException e) {
            LOG.error("The result of a dead pilot's job cannot be kept: {}", e.toString());
            return false;
        }
    }

    private boolean hasResult(Result of) throws IOException {
        for (Path file : left()) {
            Report report = Json.read(Files.readAllBytes(file), Report.class);
            if (report instanceof Result result
                    && result.pilotId().equals(of.pilotId())
                    && result.jobUid().equals(of.jobUid())
                    && result.attempt().equals(of.attempt())) {
                return true;
            }
        }
        return false;
    }

    /** Keeps a report; null when the disk does not take it, and it lives in memory only. */
    synchronized Path keep(byte[] body) {
        lastStamp = Math.max(lastStamp + 1, System.currentTimeMillis() * 1000);
        String name = String.format("%016x-%s", lastStamp, UUID.randomUUID());
        Path file = directory.resolve(name + ENDING);
        Path aside = directory.resolve(name + ASIDE);
        try {
            Files.createDirectories(directory); // Cleaners of /tmp remove one that was empty for days.
            Files.write(aside, body);
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            return file;
        } catch (IOException e) {
            LOG.error("A report cannot be kept on disk and would be lost with this process: {}", e.toString());
            forget(aside);
            return null;
        }
    }

    void forget(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} cannot be deleted; a report that is confirmed will be sent again: {}", file, e.toString());
        }
    }

    /** No receiver will ever take this report: it stays for people to look at. */
    void setAside(Path file, byte[] body, String reason) {
        LOG.error(
                "A report was refused for good, and is renamed to .bad: {}. It is {}: {}",
                reason,
                file == null ? "not on disk" : file,
                new String(body, StandardCharsets.UTF_8));
        try {
            if (file != null) {
                Files.move(file, Path.of(file + BAD), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            LOG.warn("Report {} cannot be renamed, so it will be sent again: {}", file, e.toString());
        }
    }

    /** The unconfirmed reports of an earlier process, oldest first. A file that is not a report is renamed and logged; one that was not written in full is deleted. */
    List<Path> left() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path file : entries.sorted().toList()) {
                if (file.toString().endsWith(ASIDE)) {
                    forget(file); // Its process died before the report was whole.
                }
                if (!file.toString().endsWith(ENDING)) {
                    continue;
                }
                try {
                    Json.read(Files.readAllBytes(file), Report.class);
                    files.add(file);
                } catch (InvalidMessage e) {
                    LOG.error("File {} holds no report and is renamed to .bad: {}", file, e.getMessage());
                    Files.move(file, Path.of(file + BAD), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        return files;
    }
}
