package dev.weir.connectors.dsm;

import dev.weir.protocol.InvalidMessage;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One question to DSM, asked until it is answered, refused, or the attempts or the time are used up. */
final class Question<T> implements Turns.Work {

    /** Asks once, on a worker's thread. What it throws, or its future ends with, decides whether to ask again. */
    @FunctionalInterface
    interface Attempt<T> {
        CompletableFuture<T> run() throws IOException, InterruptedException;
    }

    /** What is known of the thing that the question is about. */
    interface Standing {
        Turns.Rank rank();

        /** In whatever way. */
        void answered();

        /** A try failed that may be made again. */
        void silent();
    }

    /** How many times the total time a question may wait for its first turn: a question that is asked anew goes to the end. */
    private static final int FIRST_TURN = 120;

    private final String url;
    private final Attempt<T> attempt;
    private final DsmReaderOptions options;
    private final boolean mayAppear;
    private final Standing standing;
    private final Turns turns;
    private final ScheduledExecutorService clock;
    private final Pauses pauses;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final long begunNanos = System.nanoTime();
    private int attempts;
    private Transient lastFailure;
    /** When DSM first said that it does not know it, and how often it did. */
    private long absentSinceNanos;

    private int absences;

    /** @param mayAppear whether what DSM does not know is asked for again for a while, because it may be about to be registered */
    Question(
            String url,
            Attempt<T> attempt,
            DsmReaderOptions options,
            boolean mayAppear,
            Standing standing,
            Turns turns,
            ScheduledExecutorService clock) {
        this.url = url;
        this.attempt = attempt;
        this.options = options;
        this.mayAppear = mayAppear;
        this.standing = standing;
        this.turns = turns;
        this.clock = clock;
        this.pauses =
                new Pauses(options.retries().firstPause(), options.retries().longestPause());
    }

    CompletableFuture<T> answer() {
        return answer;
    }

    void ask() {
        try {
            turns.execute(standing.rank(), this);
        } catch (RejectedExecutionException e) {
            unavailable("more than " + options.load().maxWaiting() + " questions wait for it", e);
        }
    }

    @Override
    public void refused(Throwable why) {
        if (why instanceof RejectedExecutionException) {
            giveUp();
        } else {
            unavailable("no thread could ask it: " + why, why);
        }
    }

    /** The reader closes. */
    void giveUp() {
        unavailable("the reader was closed", null);
    }

    /** Asks once. */
    @Override
    public void run() {
        if (answer.isDone()) {
            return;
        }
        long total = options.retries().totalTime().toMillis();
        if (absences == 0 && elapsedMillis() > (attempts == 0 ? FIRST_TURN * total : total)) {
            // It waited long for its turn. The caller gets the failure now and does not wait for one more.
            unavailable(
                    lastFailure == null ? "too many others were asked before its turn came" : lastFailure.getMessage(),
                    lastFailure);
            return;
        }
        attempts++;
        try {
            var unused = attempt.run().whenComplete((value, failure) -> {
                if (failure == null) {
                    standing.answered();
                    answer.complete(value);
                } else {
                    failed(failure);
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveUp();
        } catch (IOException | RuntimeException e) {
            failed(e);
        } catch (Error e) {
            unavailable("the reader failed itself: " + e, e);
            throw e;
        }
    }

    private void failed(Throwable failure) {
        Throwable why =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Transient again = why instanceof DsmFailure ? null : transientCause(why);
        if (again == null && why instanceof IOException && !(why instanceof BoundedBody.TooLarge)) {
            again = new Transient("its answer could not be read: " + firstLine(why), why);
        }
        if (again != null) {
            askAgain(again);
            return;
        }
        standing.answered();
        if (why instanceof DsmFailure own) {
            absentOrFailed(own);
        } else if (why instanceof BoundedBody.TooLarge || why instanceof InvalidMessage) {
            answer.completeExceptionally(DsmFailure.broken(url, firstLine(why), why));
        } else {
            answer.completeExceptionally(DsmFailure.broken(url, "it could not be read: " + why, why));
        }
    }

    private void absentOrFailed(DsmFailure failure) {
        boolean absent = mayAppear && failure.kind() == DsmFailure.Kind.NOT_FOUND;
        if (absent && absences++ == 0) {
            // From now on: while DSM was away, so were the registrations.
            absentSinceNanos = System.nanoTime();
        }
        long leftMillis = options.retries().absence().toMillis()
                - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - absentSinceNanos);
        if (absent && leftMillis > 0) {
            askAfter(Math.min(leftMillis, pauses.afterFailureMillis(absences, ThreadLocalRandom.current())));
        } else {
            answer.completeExceptionally(failure);
        }
    }

    private static Transient transientCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Transient found) {
                return found;
            }
        }
        return null;
    }

    /** Jackson appends where in its source, over several lines. */
    private static String firstLine(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    private void askAgain(Transient why) {
        lastFailure = why;
        standing.silent();
        long pauseMillis = pauses.afterFailureMillis(attempts, ThreadLocalRandom.current());
        if (attempts >= options.retries().attempts()
                || elapsedMillis() + pauseMillis > options.retries().totalTime().toMillis()) {
            unavailable(why.getMessage(), why);
            return;
        }
        askAfter(pauseMillis);
    }

    private void askAfter(long pauseMillis) {
        try {
            var unused = clock.schedule(this::ask, pauseMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            giveUp();
        }
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    }

    private void unavailable(String what, Throwable cause) {
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        answer.completeExceptionally(new DsmFailure(
                DsmFailure.Kind.UNAVAILABLE,
                String.format(
                        Locale.ROOT,
                        "No answer from DSM at %s: %s (%d attempts in %.1f s). Check that DSM runs, can be reached, and lets Weir read.",
                        url,
                        what,
                        attempts,
                        seconds),
                cause));
    }
}
