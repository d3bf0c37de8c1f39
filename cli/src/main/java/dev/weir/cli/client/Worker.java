package dev.weir.cli.client;

import dev.weir.pilot.run.ItemLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Slots that take items and run a program for each, until all have ended. */
final class Worker {

    private static final int MOST_EXTENDERS = 16;

    private final QueueCalls calls;
    private final Settings settings;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong released = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ScheduledExecutorService extender;
    private final List<WorkerSlot> slots = new ArrayList<>();
    /** Slots that have an item. */
    private int running;
    /** When it began, the last item ended, or the gateway was there again. */
    private long idleSince = System.nanoTime();

    private volatile boolean stopping;
    private volatile boolean idle;
    private volatile IOException failure;

    /**
     * What a worker does.
     *
     * @param command program and arguments
     * @param directory for the runs' own directories
     * @param slots how many items at once
     * @param maxItems ends after so many; 0: any number
     * @param maxIdle ends when no slot has had an item for so long; zero: never
     * @param reconnectFor how long to go on without the gateway
     * @param lastTries when the worker ends: how long to try to tell the gateway the end of an item
     */
    record Settings(
            List<String> command,
            ItemLimits limits,
            Path directory,
            int slots,
            long maxItems,
            Duration maxIdle,
            Duration reconnectFor,
            Duration lastTries) {}

    /**
     * What it did.
     *
     * @param released items that went back because the worker ended
     * @param lost items whose lease was lost while the program ran
     */
    record Summary(long finished, long failed, long released, long lost) {

        String line(String queue) {
            return "Worker of queue " + queue + " ended. Items finished: " + finished + ", failed: " + failed
                    + ", handed back: " + released + ", lost: " + lost;
        }

        String json() {
            return GatewayClient.JSON
                    .createObjectNode()
                    .put("finished", finished)
                    .put("failed", failed)
                    .put("released", released)
                    .put("lost", lost)
                    .toString();
        }
    }

    Worker(QueueCalls calls, Settings settings) {
        this.calls = calls;
        this.settings = settings;
        // Several, so that one slow answer costs no other slot its lease.
        extender = Executors.newScheduledThreadPool(Math.min(settings.slots(), MOST_EXTENDERS), task -> {
            Thread thread = new Thread(task, "worker-extend");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Works until it is to end. Throws what made a slot give up; the others finish their items first. */
    Summary run() throws IOException, InterruptedException {
        try {
            for (Thread thread : start()) {
                thread.join();
            }
        } finally {
            extender.shutdownNow();
            ended.countDown();
        }
        if (failure != null) {
            throw failure;
        }
        return new Summary(finished.get(), failed.get(), released.get(), lost.get());
    }

    private synchronized List<Thread> start() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < settings.slots(); i++) {
            WorkerSlot slot = new WorkerSlot(this, i, calls, settings, extender);
            try {
                threads.add(slot.start("worker-" + (i + 1)));
            } catch (Error e) {
                gaveUp(new IOException("a slot of the worker could not be started: " + e, e));
                return threads;
            }
            slots.add(slot);
        }
        return threads;
    }

    /** Ends: programs are stopped, and their items go back. */
    synchronized void stop() {
        stopping = true;
        slots.forEach(WorkerSlot::stop);
    }

    /** Waits for the end, at most so long. */
    void awaitEnd(Duration limit) throws InterruptedException {
        var unused = ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    boolean isStopping() {
        return stopping || idle || failure != null;
    }

    /** Whether one more item may be taken. */
    boolean mayBegin() {
        return !isStopping()
                && (settings.maxItems() == 0
                        || begun.getAndUpdate(n -> Math.min(n + 1, settings.maxItems())) < settings.maxItems());
    }

    /** The item that {@link #mayBegin} allowed did not come. */
    void didNotBegin() {
        begun.decrementAndGet();
    }

    /** A slot has an item. */
    synchronized void begins() {
        running++;
    }

    /** It has none any more. */
    synchronized void ends() {
        running--;
        idleSince = System.nanoTime();
    }

    /** The time before does not count as idle. */
    synchronized void idleSince(long nanos) {
        if (nanos - idleSince > 0) {
            idleSince = nanos;
        }
    }

    /** A slot that waits for an item in vain ends only together with the others: work for it may follow from what they do. */
    synchronized void endIfIdle() {
        if (!settings.maxIdle().isZero()
                && running == 0
                && System.nanoTime() - idleSince >= settings.maxIdle().toNanos()) {
            idle = true;
            slots.forEach(WorkerSlot::stopWaiting);
        }
    }

    synchronized void gaveUp(IOException why) {
        failure = failure == null ? why : failure;
        // Those that wait for an item wait in vain; those that run finish.
        slots.forEach(WorkerSlot::stopWaiting);
    }

    void finished() {
        finished.incrementAndGet();
    }

    void failed() {
        failed.incrementAndGet();
    }

    void released() {
        released.incrementAndGet();
    }

    void lost() {
        lost.incrementAndGet();
    }
}
