package dev.weir.pilot.run;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All processes that an attempt has started, found in two ways: descendants of the program, and (where there is a {@code /proc})
 * every process whose environment carries the attempt's mark. The mark finds processes that left their parent, as daemons do:
 * children inherit it, and only a process that clears its environment on purpose loses it.
 */
final class ProcessTree {

    /** The environment variable that marks an attempt's processes. */
    static final String MARK = "WEIR_RUN";

    private static final Path PROC = Path.of("/proc");
    private static final Duration POLL = Duration.ofMillis(10);

    /** After it nothing more can be done: a process in uninterruptible sleep does not even end at SIGKILL. */
    private static final Duration FORCED_WAIT = Duration.ofSeconds(10);

    /** How long a process may show no environment, or a part of one, as it does for a moment while it begins to run another program. */
    private static final Duration UNDECIDED_WAIT = Duration.ofMillis(200);

    /** The same when it has run for long: it may begin another program still, but some never show an environment. */
    private static final Duration UNDECIDED_WAIT_OF_OLD = Duration.ofMillis(20);

    /** For all of them together, however many begin meanwhile. */
    private static final Duration LONGEST_UNDECIDED_WAIT = Duration.ofSeconds(1);

    private static final Duration YOUNG = Duration.ofSeconds(10);
    private static final byte[] UNREADABLE = {0};
    /** In the flags of a process's stat: a thread of the kernel, which never has an environment. */
    private static final long KERNEL_THREAD = 0x0020_0000;

    private final Set<ProcessHandle> known = new LinkedHashSet<>();
    /** Until when ({@link System#nanoTime}) processes without a complete environment are looked at again. Once is enough for each. */
    private final Map<ProcessHandle, Long> undecidedUntil = new HashMap<>();

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

    /** The processes that live now. */
    Set<ProcessHandle> living() {
        long decideUntil = System.nanoTime() + LONGEST_UNDECIDED_WAIT.toNanos();
        while (!look() && System.nanoTime() < decideUntil) {
            pause();
        }
        return livingKnown();
    }

    /**
     * Ends all of them: asks first, and after the grace period insists, again and again until none is left, because a tree can
     * grow while it is being cut.
     *
     * @return the processes that still live, after a bounded time; empty when all is well
     */
    Set<ProcessHandle> end(Duration grace) {
        Set<ProcessHandle> asked = new LinkedHashSet<>();
        long insistFrom = System.nanoTime() + grace.toNanos();
        long giveUpAt = insistFrom + FORCED_WAIT.toNanos();
        while (true) {
            // Known processes are not kept waiting by undecided ones.
            look();
            Set<ProcessHandle> living = livingKnown();
            if (living.isEmpty()) {
                living = living();
            }
            if (living.isEmpty()) {
                return living;
            }
            // Not before they have been told to end, however long the look took.
            boolean isLast = System.nanoTime() >= giveUpAt;
            boolean insist = System.nanoTime() >= insistFrom;
            for (ProcessHandle process : living) {
                if (insist) {
                    process.destroyForcibly();
                } else if (asked.add(process)) {
                    process.destroy();
                }
            }
            pause();
            if (isLast) {
                return livingKnown();
            }
        }
    }

    /** As {@link #living}, but without waiting for those that may or may not be of the attempt. */
    Set<ProcessHandle> seen() {
        look();
        return livingKnown();
    }

    private Set<ProcessHandle> livingKnown() {
        return known.stream().filter(ProcessTree::lives).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Not even an interrupt may leave processes behind; it is seen afterwards. */
    static void pause() {
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

    /** Adds all that can be found and forgets the dead; false when a process may be marked and can't be asked yet. */
    private boolean look() {
        // The number of a dead process may be another one's now, whose children are none of ours.
        known.removeIf(process -> !process.isAlive());
        undecidedUntil.keySet().removeIf(process -> !process.isAlive());
        for (ProcessHandle process : List.copyOf(known)) {
            process.descendants().forEach(known::add);
        }
        Set<Long> passedOver = known.stream()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .collect(Collectors.toCollection(HashSet::new));
        passedOver.add(ProcessHandle.current().pid());
        boolean decided = true;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (passedOver.contains(pid)) {
                    continue;
                }
                byte[] environment = environment(process);
                if (contains(environment, mark)) {
                    ProcessHandle.of(pid).ifPresent(known::add);
                } else if (!isWhole(environment) && mayShowMore(pid)) {
                    decided = false;
                }
            }
        } catch (IOException | NumberFormatException | java.nio.file.DirectoryIteratorException e) {
            // No /proc here: the descendants are all that can be known.
        }
        return decided;
    }

    /** In one read if it can be: between two the process may begin another program, and then the second gives nothing. */
    private static byte[] environment(Path process) {
        try (InputStream environment =
                new FileInputStream(process.resolve("environ").toFile())) {
            return environment.readAllBytes();
        } catch (IOException e) {
            return UNREADABLE; // another user's, or gone
        }
    }

    private static boolean isWhole(byte[] environment) {
        return environment.length > 0 && environment[environment.length - 1] == 0;
    }

    /** Whether a process without a whole environment is to be asked again: it lives, is none of the kernel's, and its time is not over. */
    private boolean mayShowMore(long pid) {
        ProcessHandle process = ProcessHandle.of(pid).orElse(null);
        if (process == null || !lives(process) || (flags(pid) & KERNEL_THREAD) != 0) {
            return false;
        }
        long now = System.nanoTime();
        long until = undecidedUntil.computeIfAbsent(
                process, one -> now + (isYoung(one) ? UNDECIDED_WAIT : UNDECIDED_WAIT_OF_OLD).toNanos());
        return now < until;
    }

    private static boolean isYoung(ProcessHandle process) {
        return process.info()
                .startInstant()
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
