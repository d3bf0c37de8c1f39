package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All processes that an attempt has started, found in two ways: descendants of the program, and (where there is a {@code /proc})
 * every process whose environment carries the attempt's mark. The mark finds those that left their parent, as daemons do:
 * children inherit it, and only a process that clears its environment on purpose loses it.
 */
final class ProcessTree {

    /** The environment variable that marks an attempt's processes. */
    static final String MARK = "WEIR_RUN";

    private static final Path PROC = Path.of("/proc");
    private static final Duration POLL = Duration.ofMillis(10);

    /** After it nothing more can be done: a process in uninterruptible sleep does not even end at SIGKILL. */
    private static final Duration FORCED_WAIT = Duration.ofSeconds(10);

    /** How long a process may show no environment, as it does for a moment while it begins to run another program. */
    private static final Duration UNDECIDED_WAIT = Duration.ofSeconds(1);

    private static final Duration YOUNG = Duration.ofSeconds(10);
    private static final byte[] UNREADABLE = {0};
    /** In the flags of a process's stat: a thread of the kernel, which never has an environment. */
    private static final long KERNEL_THREAD = 0x0020_0000;

    private final Set<ProcessHandle> known = new LinkedHashSet<>();
    private final byte[] mark;

    /**
     * @param root the program; null when only its marked processes can be known
     * @param mark the value of {@link #MARK} in its environment, unique to the attempt
     */
    ProcessTree(ProcessHandle root, String mark) {
        if (root != null) {
            known.add(root);
        }
        this.mark = (MARK + "=" + mark + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Those that live now. */
    Set<ProcessHandle> living() {
        for (ProcessHandle process : List.copyOf(known)) {
            process.descendants().forEach(known::add);
        }
        long decideUntil = System.nanoTime() + UNDECIDED_WAIT.toNanos();
        while (!addMarked() && System.nanoTime() < decideUntil) {
            pause();
        }
        return known.stream().filter(ProcessTree::lives).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Ends all of them: asks first, and after the grace period insists, again and again until none is left, because a tree can
     * grow while it is being cut.
     *
     * @return those that live still, after a bounded time; empty when all is well
     */
    Set<ProcessHandle> end(Duration grace) {
        Set<ProcessHandle> living = living();
        if (living.isEmpty()) {
            return living;
        }
        Set<ProcessHandle> asked = new LinkedHashSet<>();
        long insistFrom = System.nanoTime() + grace.toNanos();
        long giveUpAt = insistFrom + FORCED_WAIT.toNanos();
        while (!living.isEmpty() && System.nanoTime() < giveUpAt) {
            boolean insist = System.nanoTime() >= insistFrom;
            for (ProcessHandle process : living) {
                if (insist) {
                    process.destroyForcibly();
                } else if (asked.add(process)) {
                    process.destroy();
                }
            }
            pause();
            living = living();
        }
        return living;
    }

    /** Not even an interrupt may leave processes behind; it is seen afterwards. */
    private static void pause() {
        boolean interrupted = false;
        long until = System.nanoTime() + POLL.toNanos();
        while (System.nanoTime() < until) {
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false when a process may be marked and can't be asked yet. */
    private boolean addMarked() {
        boolean decided = true;
        long self = ProcessHandle.current().pid();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (pid == self) {
                    continue;
                }
                byte[] environment = environment(process);
                if (contains(environment, mark)) {
                    ProcessHandle.of(pid).ifPresent(known::add);
                } else if (environment.length == 0 && begins(pid)) {
                    decided = false;
                }
            }
        } catch (IOException | NumberFormatException | java.nio.file.DirectoryIteratorException e) {
            // No /proc here: the descendants are all that can be known.
        }
        return decided;
    }

    private static byte[] environment(Path process) {
        try {
            return Files.readAllBytes(process.resolve("environ"));
        } catch (IOException e) {
            return UNREADABLE; // another user's, or gone
        }
    }

    /** Whether a process without an environment may still get one: it is young, lives, and is none of the kernel's. */
    private static boolean begins(long pid) {
        return ProcessHandle.of(pid)
                .filter(process -> lives(process) && (flags(pid) & KERNEL_THREAD) == 0)
                .flatMap(process -> process.info().startInstant())
                .filter(start -> start.isAfter(Instant.now().minus(YOUNG)))
                .isPresent();
    }

    private static long flags(long pid) {
        try {
            return Long.parseLong(stat(pid)[6]);
        } catch (IOException | RuntimeException e) {
            return KERNEL_THREAD; // gone, or nothing that we know
        }
    }

    /** What stands behind the name: state, parent, group, session, terminal, its group, flags and more. */
    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static boolean contains(byte[] text, byte[] part) {
        for (int i = 0; i + part.length <= text.length; i++) {
            if ((i == 0 || text[i - 1] == 0) && startsAt(text, i, part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsAt(byte[] text, int at, byte[] part) {
        for (int j = 0; j < part.length; j++) {
            if (text[at + j] != part[j]) {
                return false;
            }
        }
        return true;
    }

    /** A dead process that its parent has not collected holds nothing and cannot be ended once more. */
    static boolean lives(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            char state = stat(process.pid())[0].charAt(0);
            return state != 'Z' && state != 'X';
        } catch (IOException | StringIndexOutOfBoundsException e) {
            return process.isAlive();
        }
    }
}
