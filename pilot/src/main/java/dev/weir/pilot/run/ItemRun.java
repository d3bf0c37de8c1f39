package dev.weir.pilot.run;

import dev.weir.pilot.run.Program.Ended;
import dev.weir.protocol.ErrorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a worker's program for one item: the payload on its standard input, the result from its standard output. It is confined as a
 * job is: a directory of its own that goes with it, bounded time, memory and output, and no process of it is left. Runs once, in one thread.
 */
public final class ItemRun {

    private static final Logger LOG = LoggerFactory.getLogger(ItemRun.class);

    /** Of standard error, the first half and the last. */
    private static final long LOG_BYTES = 64 << 10;

    /** Far more than a result may have: what is longer is refused with its size. */
    private static final long OUTPUT_BYTES = 1 << 20;

    private static final int LONGEST_ERROR = 500;

    private final List<String> command;
    private final ItemLimits limits;
    private final StopSignal stop;
    private final String mark = UUID.randomUUID().toString();

    /** How it ended. */
    public enum End {
        FINISHED,
        FAILED,
        /** Because the signal came, whatever it has printed. */
        STOPPED,
        /** This worker cannot run its program, and could not for any other item. */
        UNABLE
    }

    /**
     * What came of it.
     *
     * @param result what it printed; null unless it finished
     * @param error why it failed, or could not run, in a sentence; null otherwise
     */
    public record Outcome(End end, byte[] result, String error) {

        private static Outcome failed(String error) {
            return new Outcome(End.FAILED, null, error);
        }
    }

    /** @param command program and arguments, started without a shell */
    public ItemRun(List<String> command, ItemLimits limits, StopSignal stop) {
        this.command = command;
        this.limits = limits;
        this.stop = stop;
    }

    /**
     * Runs it. No exception leaves it but errors of the machine. The item chooses nothing that a start depends on but some text of the
     * environment, so what keeps the program from its start, or this run from its files, is of the worker.
     *
     * @param parent where its directory is made
     * @param payload its standard input
     * @param about the item, as variables of its environment
     */
    public Outcome run(Path parent, byte[] payload, Map<String, String> about) {
        AttemptDirectory directory = null;
        try {
            directory = AttemptDirectory.create(parent, mark);
            Path stdin = Files.write(directory.root().resolve("payload"), payload);
            try (BoundedLog log = new BoundedLog(directory.root().resolve("captured.log"), LOG_BYTES)) {
                return run(directory, stdin, about, log);
            }
        } catch (IllegalArgumentException e) {
            // Its text is nothing that an environment can have, and would stop one worker after the other.
            return Outcome.failed("the program could not be started: " + Reasons.of(e));
        } catch (IOException e) {
            return new Outcome(End.UNABLE, null, "the program could not be run: " + Reasons.of(e));
        } finally {
            remove(directory);
        }
    }

    private Outcome run(AttemptDirectory directory, Path stdin, Map<String, String> about, BoundedLog log)
            throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(about);
        environment.put("TMPDIR", directory.tmp().toString());
        // Not in a file: a full disk loses no result.
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Program program =
                Program.start(command, directory.work(), environment, stdin, printed, OUTPUT_BYTES, log, mark);
        Ended ended;
        try {
            ended = program.await(limits.timeout(), limits.killGrace(), stop, () -> look(program), null);
        } catch (RuntimeException | Error e) {
            program.end(limits.killGrace());
            throw e;
        }
        if (!ended.immortal().isEmpty()) {
            LOG.error("Processes of a program do not end even when killed: {}", ended.immortal());
        }
        return switch (ended.end()) {
            case STOPPED -> new Outcome(End.STOPPED, null, null);
            case TIMED_OUT ->
                Outcome.failed("not done after " + limits.timeout().toSeconds() + " s" + lastWords(log));
            case FAILED -> Outcome.failed(words(ended.failure()) + lastWords(log));
            case BY_ITSELF -> judge(ended, printed, log);
        };
    }

    private Outcome judge(Ended ended, ByteArrayOutputStream printed, BoundedLog log) throws IOException {
        // Ctrl-C reaches the program and the worker at once.
        if (stop.now() != null && (ended.exitCode() != 0 || ended.failure() != null)) {
            return new Outcome(End.STOPPED, null, null);
        }
        if (ended.failure() != null) {
            return Outcome.failed(words(ended.failure()) + lastWords(log));
        }
        return ended.exitCode() == 0
                ? new Outcome(End.FINISHED, printed.toByteArray(), null)
                : Outcome.failed("exit code " + ended.exitCode() + lastWords(log));
    }

    private static String words(AttemptFailure failure) {
        return failure.getMessage().replace(CapturedOutput.PILOTS_OPTION, "");
    }

    private AttemptFailure look(Program program) {
        long memory = limits.maxMemoryBytes() == 0 ? 0 : program.memory();
        return memory <= limits.maxMemoryBytes()
                ? null
                : new AttemptFailure(
                        ErrorType.OOM,
                        "its processes have " + memory + " bytes of memory together, more than "
                                + limits.maxMemoryBytes());
    }

    /** The last line on standard error, which mostly says what was wrong; empty when there is none. */
    private static String lastWords(BoundedLog log) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        log.writeTo(all);
        List<String> lines =
                all.toString(StandardCharsets.UTF_8).strip().lines().toList();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1).strip();
        int from = Math.max(0, last.length() - LONGEST_ERROR);
        return last.isEmpty() ? "" : ": " + last.substring(from);
    }

    /** What stays does not make a failure of a good end. */
    private static void remove(AttemptDirectory directory) {
        try {
            if (directory != null) {
                directory.delete();
            }
        } catch (IOException e) {
            LOG.warn("The directory of an item cannot be removed: {}", e.toString());
        }
    }
}
