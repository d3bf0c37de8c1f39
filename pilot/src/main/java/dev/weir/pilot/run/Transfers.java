package dev.weir.pilot.run;

import dev.weir.pilot.run.StopSignal.Stop;
import dev.weir.pilot.run.StopSignal.StoppedException;
import dev.weir.pilot.storage.RefusedException;
import dev.weir.protocol.Urls;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Makes every transfer end: it is tried a few times with growing pauses, within one time-out, and given up at once when the
 * attempt must stop. It runs in a thread of its own, because a file system that hangs ignores interrupts.
 */
final class Transfers {

    /** Something that moves a file. */
    interface Transfer {
        void run() throws IOException, InterruptedException;
    }

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final int tries;
    private final Duration pause;
    private final StopSignal stop;
    private final Supplier<? extends IOException> guard;

    Transfers(int tries, Duration pause, StopSignal stop) {
        this(tries, pause, stop, () -> null);
    }

    /** @param guard asked each second why a transfer must end; null while it may go on */
    Transfers(int tries, Duration pause, StopSignal stop, Supplier<? extends IOException> guard) {
        this.tries = tries;
        this.pause = pause;
        this.stop = stop;
        this.guard = guard;
    }

    /**
     * Runs it; an {@link IOException} says how its last try ended.
     *
     * @param what as it begins a sentence
     * @param url named once, because what shows the sentence may shorten it
     */
    void run(String what, String url, Duration timeout, Transfer transfer) throws IOException, StoppedException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> complete(done, transfer), "pilot-transfer");
        thread.setDaemon(true);
        thread.start();
        try {
            Object first = await(CompletableFuture.anyOf(done, stop.future()), timeout);
            if (first instanceof Stop wanted && !done.isDone()) {
                thread.interrupt();
                throw new StoppedException(wanted);
            }
            done.get();
        } catch (TimeoutException e) {
            thread.interrupt();
            throw failure(what + " was not done after " + timeout.toSeconds() + " s: " + url, e);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            stop.request(StopSignal.Cause.SHUTDOWN, "the pilot was interrupted");
            throw new StoppedException(stop.now());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String reason = Reasons.of(cause);
            throw failure(what + " failed: " + (reason.contains(url) ? "" : url + ": ") + reason, cause);
        } catch (IOException e) {
            thread.interrupt();
            throw failure(what + " was given up: " + e.getMessage(), e);
        }
    }

    /** Its text goes into logs and reports, and the URLs in it may hold passwords. */
    private static IOException failure(String text, Throwable cause) {
        return new IOException(Urls.withoutSecrets(text), cause);
    }

    private Object await(CompletableFuture<Object> any, Duration timeout)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        long until = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = until - System.nanoTime();
            try {
                return any.get(Math.max(0, Math.min(left, LOOK.toNanos())), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                IOException wrong = guard.get();
                if (wrong != null) {
                    throw wrong;
                }
                if (left <= LOOK.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private void complete(CompletableFuture<Void> done, Transfer transfer) {
        try {
            repeat(transfer);
            done.complete(null);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            done.completeExceptionally(e); // No thread waits for what has no end.
        }
    }

    private void repeat(Transfer transfer) throws IOException, InterruptedException {
        Duration wait = pause;
        for (int left = tries - 1; ; left--) {
            try {
                transfer.run();
                return;
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                if (left == 0 || DiskFull.isCause(e)) {
                    throw e;
                }
                Thread.sleep(wait.toMillis());
                wait = wait.multipliedBy(2);
            }
        }
    }
}
