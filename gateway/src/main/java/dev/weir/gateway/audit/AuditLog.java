package dev.weir.gateway.audit;

import dev.weir.protocol.Json;
import dev.weir.protocol.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line of JSON for each step of a change: {@code asked} before anything is sent, {@code answered} with the HTTP status, {@code outcome} when Weir
 * has told it, which may be later, and {@code denied} for what the gateway did not send on. Safe for use from many threads.
 */
public final class AuditLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private final Path file;
    private FileChannel channel;
    /** Whether the file may end in the middle of a line: a full disk takes a part of one. */
    private boolean isCut;

    /** @param file to which lines are added; null: they go to the program's log */
    public AuditLog(Path file) {
        this.file = file;
    }

    /**
     * One step.
     *
     * @param who name of the token
     * @param from address of the client
     * @param what method and path of the request
     * @param id of the command, uid of the task; null when there is none yet
     */
    private record Line(
            Instant at,
            String step,
            String who,
            String from,
            String what,
            String id,
            Object body,
            Integer status,
            Outcome.Kind outcome,
            String reason) {}

    /** Throws {@link UncheckedIOException} when the line cannot be written: then nothing must be sent. */
    public void asked(String who, String from, String what, String id, Object body) {
        write(new Line(Instant.now(), "asked", who, from, what, id, body, null, null, null));
    }

    public void answered(String who, String from, String what, String id, int status) {
        afterwards(new Line(Instant.now(), "answered", who, from, what, id, null, status, null, null));
    }

    public void denied(String who, String from, String what, int status) {
        afterwards(new Line(Instant.now(), "denied", who, from, what, null, null, status, null, null));
    }

    public void outcome(String who, Outcome outcome) {
        afterwards(new Line(
                Instant.now(),
                "outcome",
                who,
                null,
                null,
                outcome.id(),
                null,
                null,
                outcome.outcome(),
                outcome.reason()));
    }

    /** What has happened cannot be undone because its line cannot be written. */
    private void afterwards(Line line) {
        try {
            write(line);
        } catch (UncheckedIOException e) {
            LOG.error("A line of the audit log could not be written: {}", text(line), e);
        }
    }

    private synchronized void write(Line line) {
        if (file == null) {
            LOG.info("Audit {}", text(line));
            return;
        }
        try {
            if (channel == null) {
                channel = open();
            }
            String begin = isCut ? "\n" : "";
            ByteBuffer bytes = ByteBuffer.wrap((begin + text(line) + "\n").getBytes(StandardCharsets.UTF_8));
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } finally {
                isCut = bytes.position() == 0 ? isCut : bytes.hasRemaining();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the audit log " + file + " cannot be written", e);
        }
    }

    private FileChannel open() throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        // One that was killed may have left a part.
        isCut = endsWithinALine(file);
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
    }

    /** One that may be written and not read counts as whole. */
    private static boolean endsWithinALine(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (FileChannel end = FileChannel.open(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return end.size() > 0 && end.read(last, end.size() - 1) == 1 && last.get(0) != '\n';
        } catch (IOException e) {
            return false;
        }
    }

    private static String text(Line line) {
        return new String(Json.write(line), StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        try {
            if (channel != null) {
                channel.close();
                channel = null;
            }
        } catch (IOException e) {
            LOG.warn("The audit log was not closed cleanly: {}", e.toString());
        }
    }
}
