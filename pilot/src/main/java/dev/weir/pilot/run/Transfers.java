package dev.weir.pilot.run;

import dev.weir.pilot.run.StopSignal.Stop;
import dev.weir.pilot.run.StopSignal.StoppedException;
import dev.weir.pilot.storage.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Makes every transfer end: it is tried a few times with growing pauses, within one time-out, and given up at once when the
 * attempt must stop. It runs in a thread of its own, because a file system that hangs ignores interrupts.
 */
final class Transfers {

    /** Something that moves a file. */
    interface Transfer {
        void run() throws IOException, InterruptedException;
    }

    private final int tries;
    private final Duration pause;
    private final StopSignal stop;

    Transfers(int tries, Duration pause, StopSignal stop) {
        this.tries = tries;
        this.pause = pause;
        this.stop = stop;
    }

    /** Runs it; an {@link IOException} says how its last try ended. */
    void run(String what, Duration timeout, Transfer transfer) throws IOException, StoppedException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> complete(done, transfer), "pilot-transfer");
        thread.setDaemon(true);
        thread.start();
        try {
            Object first = CompletableFuture.anyOf(done, stop.future()).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (first instanceof Stop wanted && !done.isDone()) {
                thread.interrupt();
                throw new StoppedException(wanted);
            }
            done.get();
        } catch (TimeoutException e) {
            thread.interrupt();
            throw new IOException(what + " was not done after " + timeout.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            stop.request(StopSignal.Cause.SHUTDOWN, "the pilot was interrupted");
            throw new StoppedException(stop.now());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException(what + " failed: " + Reasons.of(cause), cause);
        }
    }

    private void complete(CompletableFuture<Void> done, Transfer transfer) {
        try {
            repeat(transfer);
            done.complete(null);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            done.completeExceptionally(e); // Nobody waits for what has no end.
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
