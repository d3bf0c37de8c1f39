package dev.weir.pilot.run;

import dev.weir.pilot.run.Program.Watch;
import dev.weir.protocol.ErrorType;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Processes that outlive their program. A shell does not wait for all that it starts, so the last part of a pipeline may still write the
 * output: that one may end by itself, for a time, because half an output of a program that ended well would count as a whole one.
 */
final class Strays {

    /** A pipe takes a moment to be emptied, however short the grace period is. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final ProcessTree tree;
    private final ProgramOutput output;
    private final Duration grace;
    private final int exitCode;

    /** Of the output, before the look that found nobody who writes it. */
    private Object state;

    /**
     * What came of them.
     *
     * @param ended how many had to be ended
     * @param immortal those that could not be ended
     * @param failure why the output cannot be whole; null when nothing is known
     */
    record Gone(int ended, Set<ProcessHandle> immortal, AttemptFailure failure) {}

    /**
     * Prepares the look at them.
     *
     * @param grace for ending by themselves, and again between asking them to end and ending them
     * @param exitCode of the program
     */
    Strays(ProcessTree tree, ProgramOutput output, Duration grace, int exitCode) {
        this.tree = tree;
        this.output = output;
        this.grace = grace;
        this.exitCode = exitCode;
    }

    /** Waits for those that write the output, and ends the others, and all when a stop comes or the watch finds something wrong. */
    Gone end(StopSignal stop, Watch watch) {
        // A look at all processes costs a millisecond or two, so one must do when nothing is left.
        if (tree.living().isEmpty()) {
            return new Gone(0, Set.of(), null);
        }
        AttemptFailure failure = settle(stop, watch);
        int left = tree.living().size();
        if (left == 0) {
            return new Gone(0, Set.of(), failure);
        }
        Set<ProcessHandle> immortal = tree.end(grace);
        // One may have opened it after the last look, and been ended before it was done.
        boolean isSettled = failure != null || Objects.equals(state, output.state());
        return new Gone(left, immortal, isSettled ? failure : cut());
    }

    /** Waits until none writes the output, nor may be about to make one that is missing; null when that is so. */
    private AttemptFailure settle(StopSignal stop, Watch watch) {
        long longest = Math.max(grace.toNanos(), LEAST.toNanos());
        long begun = System.nanoTime();
        long lookAfter = Program.LOOK.toNanos();
        while (true) {
            Set<ProcessHandle> living = tree.seen();
            state = output.state();
            boolean isWritten = output.isOpenIn(living) || !Objects.equals(state, output.state());
            boolean isMissing = state == null && exitCode == 0;
            if (living.isEmpty() || !isWritten && !isMissing) {
                return null;
            }
            long waited = System.nanoTime() - begun;
            if (stop.now() != null || isWritten && waited >= longest) {
                return cut();
            }
            if (waited >= longest) {
                return null;
            }
            if (waited >= lookAfter) {
                lookAfter += Program.LOOK.toNanos();
                AttemptFailure failure = watch.look();
                if (failure != null) {
                    return failure;
                }
            }
            ProcessTree.pause();
        }
    }

    private AttemptFailure cut() {
        return new AttemptFailure(
                ErrorType.EXIT, "exit code " + exitCode + "; processes that it left behind still wrote the output");
    }
}
