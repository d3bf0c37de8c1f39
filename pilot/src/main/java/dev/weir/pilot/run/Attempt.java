package dev.weir.pilot.run;

import dev.weir.pilot.run.Program.Ended;
import dev.weir.pilot.run.StopSignal.Stop;
import dev.weir.pilot.run.StopSignal.StoppedException;
import dev.weir.pilot.storage.FileNames;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.Arguments;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of one job: directory → program found → input moved in and checked → program run → output and log moved out; then its
 * result is kept, and then its directory removed, by {@link #clear}. Whatever goes wrong becomes the result; no exception and no error
 * leaves it. Runs once, in one thread.
 */
public final class Attempt {

    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

    /** Of the command line in the log; a Merge may have 10,000. */
    private static final int SHOWN_WORDS = 20;

    private static final int SIGKILL_EXIT = 128 + 9;

    /** SIGHUP, SIGINT, SIGKILL, SIGTERM: sent by people, terminals and batch systems, hardly by a program's own fault. */
    private static final Set<Integer> ENDED_FROM_OUTSIDE = Set.of(128 + 1, 128 + 2, SIGKILL_EXIT, 128 + 15);

    private final Job job;
    private final AttemptRecord record;
    private final Executables executables;
    private final Storages storages;
    private final RunSettings settings;
    private final StopSignal stop;
    private final OomKills oomKills = OomKills.ofThisMachine();
    private final String mark = UUID.randomUUID().toString();
    private final Instant startedAt = Instant.now();
    private final Upload upload;
    private final Watchdog watchdog;

    private AttemptDirectory directory;
    private Integer exitCode;
    private boolean logMentioned;
    private boolean outputIsStdout;
    private boolean outputIsWhole = true;

    /**
     * Prepares it; nothing happens before {@link #run}.
     *
     * @param writer goes into the names of output and log, so that no other attempt writes the same paths
     * @param watchdog is told of each step from now on; it still watches the last one when the attempt has run
     */
    public Attempt(
            Job job,
            String pilotId,
            String pool,
            String writer,
            Executables executables,
            Storages storages,
            RunSettings settings,
            StopSignal stop,
            Watchdog watchdog) {
        this.job = job;
        this.record = AttemptRecord.of(job, pilotId, pool, mark, startedAt);
        this.executables = executables;
        this.storages = storages;
        this.settings = settings;
        this.stop = stop;
        this.upload = new Upload(storages, settings, writer);
        this.watchdog = watchdog;
        watchdog.begin("the preparation", Duration.ZERO);
    }

    /**
     * Runs the whole attempt. Its files stay: removing them may take long, and its result must not wait for that.
     *
     * @param parent where the attempt's directory is made
     * @param running called when the input is in place and the program starts
     */
    public Result run(Path parent, Runnable running) {
        Ending ending;
        try {
            directory = AttemptDirectory.create(parent, mark);
            record.write(directory.root());
            ending = inDirectory(directory, running);
        } catch (IOException e) {
            ending = Ending.of(failure(ErrorType.STAGE_IN, "the working directory in " + parent + " fails: " + e, e));
        } catch (RuntimeException | Error e) {
            ending = Ending.of(ofPilot(e));
        }
        return ending.toResult(record, exitCode, upload);
    }

    /**
     * Removes its files. Leftover ones do not turn a finished job into a failed one; the next start of a pilot deletes them.
     *
     * @param kept whether its result is on disk. Then its record goes first, so that the next start reports nothing else
     */
    public void clear(boolean kept) {
        if (directory == null) {
            return;
        }
        if (kept) {
            cleared(() -> AttemptRecord.forget(directory.root()));
        }
        // Also when a job has kept its record from going: the removal takes more rights.
        cleared(() -> {
            watchdog.begin("the removal of its files", settings.transferTimeout());
            directory.delete();
        });
    }

    private interface Step {
        void run() throws IOException, StoppedException;
    }

    private void cleared(Step removal) {
        try {
            removal.run();
        } catch (IOException | StoppedException | RuntimeException | Error e) {
            LOG.warn("Files of job {} cannot be removed: {}", job.uid(), e.toString());
        }
    }

    private Ending inDirectory(AttemptDirectory directory, Runnable running) throws IOException {
        try (BoundedLog log = new BoundedLog(directory.root().resolve("captured.log"), settings.maxLogBytes())) {
            log.line("weir: job " + job.uid() + ", attempt " + job.attempt() + ", on pilot " + record.pilotId() + ", "
                    + startedAt);
            Ending ending = process(directory, log, running);
            log.line("weir: " + ending.sentence(exitCode) + ", " + Instant.now());
            return moveOut(directory, log, ending);
        }
    }

    private Ending process(AttemptDirectory directory, BoundedLog log, Runnable running) {
        try {
            stop.check();
            List<String> words = words();
            Path program = executables.find(job.executable());
            List<Path> inputs = new StageIn(job, storages, settings, stop, watchdog).into(directory.in());
            stop.check();
            return execute(directory, log, program, words, inputs, running);
        } catch (AttemptFailure e) {
            return Ending.of(e);
        } catch (StoppedException e) {
            return Ending.of(e.stop());
        } catch (RuntimeException | Error e) {
            return Ending.of(ofPilot(e));
        }
    }

    /** A fault of the pilot, or of a job that takes all its memory, ends the attempt and not the pilot. */
    private AttemptFailure ofPilot(Throwable e) {
        LOG.error("Job {} failed because of an error in the pilot", job.uid(), e);
        return failure(exitCode == null ? ErrorType.STAGE_IN : ErrorType.STAGE_OUT, "the pilot failed: " + e, e);
    }

    private List<String> words() throws AttemptFailure {
        try {
            List<String> words = Arguments.split(job.args());
            logMentioned = Placeholders.mention(words, "file_log");
            outputIsStdout = !Placeholders.mention(words, "file_out");
            return words;
        } catch (IllegalArgumentException e) {
            throw new AttemptFailure(ErrorType.EXECUTABLE, e.getMessage(), e);
        }
    }

    private Ending execute(
            AttemptDirectory directory,
            BoundedLog log,
            Path program,
            List<String> words,
            List<Path> inputs,
            Runnable running)
            throws AttemptFailure {
        Path list = directory.root().resolve("inputs.list"); // Not beside the inputs, which have any name.
        try {
            Files.write(list, inputs.stream().map(Path::toString).toList());
        } catch (IOException e) {
            throw failure(ErrorType.STAGE_IN, "cannot write the list of inputs: " + e.getMessage(), e);
        }
        List<String> line = line(directory, program, words, inputs, list);
        log.line("weir: " + line.stream().limit(SHOWN_WORDS).collect(Collectors.joining(" ")));
        long oomBefore = oomKills.count();
        Program started = start(directory, log, line);
        Ended ended;
        try {
            watchdog.begin(
                    "the program",
                    Duration.ofSeconds(job.timeoutS()).plus(settings.killGrace().multipliedBy(2)));
            record.started(started.handle()).rewrite(directory.root());
            running.run();
            ended = started.await(
                    Duration.ofSeconds(job.timeoutS()),
                    settings.killGrace(),
                    stop,
                    () -> look(directory, started),
                    outputIsStdout ? null : output(directory));
        } catch (RuntimeException | Error e) {
            started.end(settings.killGrace());
            throw e;
        }
        exitCode = ended.exitCode();
        if (ended.strays() > 0) {
            log.line("weir: the program left " + ended.strays() + " processes behind; they were ended");
        }
        if (!ended.immortal().isEmpty()) {
            LOG.error("Processes of job {} do not end even when killed: {}", job.uid(), ended.immortal());
        }
        return judge(directory, ended, log, oomKills.count() > oomBefore);
    }

    private List<String> line(
            AttemptDirectory directory, Path program, List<String> words, List<Path> inputs, Path list)
            throws AttemptFailure {
        List<String> line = new ArrayList<>(List.of(program.toString()));
        try {
            line.addAll(new Placeholders(job, inputs, list, output(directory), programLog(directory)).fill(words));
        } catch (IllegalArgumentException e) {
            throw new AttemptFailure(ErrorType.EXECUTABLE, e.getMessage(), e);
        }
        for (String word : line) {
            if (!FileNames.isKnownToSystem(word)) {
                throw new AttemptFailure(
                        ErrorType.EXECUTABLE, "the argument '" + word + "' " + FileNames.UNKNOWN_TO_SYSTEM);
            }
        }
        return line;
    }

    private Program start(AttemptDirectory directory, BoundedLog log, List<String> line) throws AttemptFailure {
        Map<String, String> environment = JobEnvironment.of(job, record.pilotId(), settings.slot(), directory.tmp());
        try {
            Path stdout = outputIsStdout ? output(directory) : null;
            return Program.start(line, directory.work(), environment, stdout, settings.maxOutputBytes(), log, mark);
        } catch (IOException e) {
            ErrorType type = StartFailure.isOfProgram(e) ? ErrorType.EXECUTABLE : ErrorType.STAGE_IN;
            throw failure(type, "the program could not be started: " + Reasons.of(e), e);
        }
    }

    /** What a program does to memory and working disk; null when nothing is wrong with that. */
    private AttemptFailure look(AttemptDirectory directory, Program program) {
        long memory = settings.maxMemoryBytes() == 0 ? 0 : program.memory();
        if (memory > settings.maxMemoryBytes()) {
            return new AttemptFailure(
                    ErrorType.OOM,
                    "its processes have " + memory + " bytes of memory together, more than " + settings.maxMemoryBytes()
                            + " (see --max-memory)");
        }
        DiskFull shortage = DiskFull.below(settings.minFreeBytes(), directory.root());
        if (shortage != null) {
            return new AttemptFailure(ErrorType.DISK_FULL, shortage.getMessage(), shortage);
        }
        try {
            boolean tooLong = Files.size(output(directory)) > settings.maxOutputBytes();
            return tooLong ? CapturedOutput.tooLong(settings.maxOutputBytes()) : null;
        } catch (IOException e) {
            return null; // There is none yet.
        }
    }

    /** Decides how the attempt ended; the order of the questions matters. */
    private Ending judge(AttemptDirectory directory, Ended ended, BoundedLog log, boolean oom) {
        Stop wanted = stop.now();
        switch (ended.end()) {
            case STOPPED:
                return Ending.of(wanted);
            case TIMED_OUT:
                return cut(Ending.failed(ErrorType.TIMEOUT, "not done after " + job.timeoutS() + " s"));
            case FAILED:
                return cut(Ending.of(ended.failure()));
            default:
                break;
        }
        int code = ended.exitCode();
        if (code == 0 && ended.failure() != null) {
            return wanted == null ? cut(Ending.of(ended.failure())) : Ending.of(wanted);
        }
        if (code == 0) {
            return finished(directory, log);
        }
        if (wanted != null) {
            return Ending.of(wanted); // Ctrl-C reaches the program and the pilot at once
        }
        if (code == SIGKILL_EXIT && oom) {
            return cut(Ending.failed(ErrorType.OOM, "ended by the kernel for want of memory"));
        }
        if (ENDED_FROM_OUTSIDE.contains(code)) {
            return cut(Ending.killed("ended by signal " + (code - 128) + ", which the pilot did not send"));
        }
        if (ended.failure() != null) {
            return cut(Ending.of(ended.failure()));
        }
        if (DiskFull.isCause(log.failure())) {
            return cut(Ending.failed(ErrorType.DISK_FULL, "exit code " + code + " with the working disk full"));
        }
        return Ending.failed(ErrorType.EXIT, "exit code " + code);
    }

    /** Half an output must not be taken for a whole one, not even beside a failure. */
    private Ending cut(Ending ending) {
        outputIsWhole = false;
        return ending;
    }

    private Ending finished(AttemptDirectory directory, BoundedLog log) {
        if (log.failure() != null) {
            ErrorType type = DiskFull.isCause(log.failure()) ? ErrorType.DISK_FULL : ErrorType.STAGE_OUT;
            return Ending.failed(
                    type, "the log could not be written: " + log.failure().getMessage());
        }
        if (!Files.isRegularFile(output(directory), LinkOption.NOFOLLOW_LINKS)) {
            return Ending.failed(ErrorType.EXIT, "exit code 0, but the program wrote no file to {file_out}");
        }
        return Ending.finished();
    }

    private Ending moveOut(AttemptDirectory directory, BoundedLog log, Ending ending) {
        Ending moved = ending;
        if (!ending.isStopped() && exitCode != null && outputIsWhole) {
            watchdog.begin("the upload of the output", settings.transferTimeout());
            boolean finished = ending.isFinished();
            moved = moved(log, ending, () -> upload.output(output(directory), job.fileOutUrl(), finished, stop));
        }
        if (!moved.isStopped() && moved == ending) {
            moved = moved(log, ending, () -> uploadLog(directory, log, settings.transferTimeout(), stop));
            return moved.isStopped() ? moveLogOut(directory, log, moved) : moved;
        }
        return moveLogOut(directory, log, moved);
    }

    /** How the attempt ends after a move. */
    private Ending moved(BoundedLog log, Ending before, Step move) {
        Ending after;
        try {
            move.run();
            return before;
        } catch (StoppedException e) {
            after = Ending.of(e.stop());
        } catch (IOException e) {
            LOG.warn("Job {}: {}", job.uid(), e.getMessage());
            after = before.isFinished() ? Ending.of(failure(ErrorType.STAGE_OUT, e.getMessage(), e)) : before.and(e);
        } catch (RuntimeException | Error e) {
            after = before.isFinished() ? Ending.of(ofPilot(e)) : before.and(e);
        }
        log.line("weir: " + after.sentence(null) + ", while output and log were uploaded, " + Instant.now());
        return after;
    }

    /** The log of an attempt that was stopped, or whose output cannot be stored, is worth a few seconds; half an output is worth nothing. */
    private Ending moveLogOut(AttemptDirectory directory, BoundedLog log, Ending ending) {
        try {
            uploadLog(directory, log, settings.stopUpload(), new StopSignal());
            return ending;
        } catch (StoppedException e) {
            return ending; // The pilot's own thread is interrupted: there is no time left.
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("Job {}: {}", job.uid(), e.getMessage());
            return ending.and(e);
        }
    }

    private void uploadLog(AttemptDirectory directory, BoundedLog log, Duration timeout, StopSignal until)
            throws IOException, StoppedException {
        watchdog.begin("the upload of the log", settings.transferTimeout());
        Path own = logMentioned ? programLog(directory) : null;
        upload.log(upload.gather(directory.root(), own, log), job.fileLogUrl(), timeout, until);
    }

    private Path output(AttemptDirectory directory) {
        return directory.out().resolve("output-" + FileNames.local(job.fileOutUrl()));
    }

    private Path programLog(AttemptDirectory directory) {
        return directory.out().resolve("log-" + FileNames.local(job.fileLogUrl()));
    }

    private static AttemptFailure failure(ErrorType type, String message, Throwable cause) {
        boolean full = type != ErrorType.STAGE_OUT && DiskFull.isCause(cause);
        return new AttemptFailure(full ? ErrorType.DISK_FULL : type, message, cause);
    }
}
