package dev.weir.gateway.placement;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;

/** The status file, read again when it has changed. Safe for use from many threads. */
public final class StatusFile {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private Version version;
    private Shown shown;

    /** Two writes within the clock's resolution differ in size. */
    private record Version(FileTime modified, long size) {}

    /** A status, and when its file was written. */
    public record Shown(PlacementStatus status, Instant writtenAt) {}

    public StatusFile(Path file) {
        this.file = file;
    }

    /**
     * The present status; empty without the file.
     *
     * @throws IOException when the file is there and is no status; the message names it
     */
    public synchronized Optional<Shown> read() throws IOException {
        try {
            Version now = new Version(Files.getLastModifiedTime(file), Files.size(file));
            if (!now.equals(version)) {
                PlacementStatus status = JSON.readValue(Files.readAllBytes(file), PlacementStatus.class);
                shown = new Shown(status, now.modified().toInstant());
                version = now;
            }
            return Optional.of(shown);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (JacksonException e) {
            String reason = e.getCause() instanceof NullPointerException lack
                    ? "it lacks " + lack.getMessage()
                    : e.getOriginalMessage();
            throw new IOException(file + " is no status.json of ./weir place: " + reason, e);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
