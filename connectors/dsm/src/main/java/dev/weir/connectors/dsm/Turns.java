package dev.weir.connectors.dsm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Whose turn it is when more is to be asked than may be asked at once. Questions that are likely to be answered go first, and those
 * that are not can never hold all workers: a few datasets that DSM does not answer for must not keep the others from being read.
 * Nor can datasets that go first keep the others from ever being asked: with three workers or more, one is given to each rank of
 * which something waits; with two, what fails has one, and what is new waits for what goes on. Work of one rank is done in the
 * order in which it came.
 */
final class Turns {

    /** From the first served to the last, but for the one worker that each is given. */
    enum Rank {
        /** Of a dataset that has answered before. */
        GOES_ON,
        /** Nothing is known of it. */
        NEW,
        /** Its last question failed. */
        FAILING
    }

    /** What is to be done when its turn comes. */
    interface Work extends Runnable {

        /** It is not run: the workers are closed, or no thread can be started. */
        default void refused(Throwable why) {}
    }

    private final Executor workers;
    private final int most;
    private final int maxWaiting;
    private final Map<Rank, Queue<Work>> waiting = new EnumMap<>(Rank.class);
    private final Map<Rank, Integer> running = new EnumMap<>(Rank.class);
    private int allWaiting;
    private int allRunning;

    /**
     * @param workers run what is given to them at once, on {@code most} threads
     * @param maxWaiting more is refused
     */
    Turns(Executor workers, int most, int maxWaiting) {
        this.workers = workers;
        this.most = most;
        this.maxWaiting = maxWaiting;
        for (Rank rank : Rank.values()) {
            waiting.put(rank, new ArrayDeque<>());
            running.put(rank, 0);
        }
    }

    /** Throws {@link RejectedExecutionException} when too much waits. */
    void execute(Rank rank, Work work) {
        synchronized (this) {
            if (allWaiting >= maxWaiting) {
                throw new RejectedExecutionException("too many wait");
            }
            waiting.get(rank).add(work);
            allWaiting++;
        }
        startWhatMay();
    }

    private void startWhatMay() {
        List<Runnable> refused = new ArrayList<>();
        synchronized (this) {
            for (Rank next = next(); next != null; next = next()) {
                Rank rank = next;
                Work work = waiting.get(rank).remove();
                allWaiting--;
                count(rank, 1);
                try {
                    workers.execute(() -> run(rank, work));
                } catch (RuntimeException | Error e) {
                    count(rank, -1);
                    refused.add(() -> work.refused(e));
                }
            }
        }
        refused.forEach(Runnable::run);
    }

    private void run(Rank rank, Work work) {
        try {
            work.run();
        } finally {
            synchronized (this) {
                count(rank, -1);
            }
            startWhatMay();
        }
    }

    private void count(Rank rank, int change) {
        running.merge(rank, change, Integer::sum);
        allRunning += change;
    }

    private Rank next() {
        if (allRunning == most) {
            return null;
        }
        // At least one worker asks for failing datasets, to find out when they work again.
        if (most > 1 && hasNone(Rank.FAILING)) {
            return Rank.FAILING;
        }
        // And one what is new: with enough datasets that go on, there is always a next page to be asked for.
        if (most > 2 && hasNone(Rank.NEW)) {
            return Rank.NEW;
        }
        for (Rank rank : Rank.values()) {
            if (!waiting.get(rank).isEmpty() && held(rank) < share(rank)) {
                return rank;
            }
        }
        return null;
    }

    /** Something of this rank waits, and no worker is at any. */
    private boolean hasNone(Rank rank) {
        return running.get(rank) == 0 && !waiting.get(rank).isEmpty();
    }

    /** By this rank and those behind it. */
    private int held(Rank rank) {
        int held = 0;
        for (Rank behind : Rank.values()) {
            held += behind.ordinal() >= rank.ordinal() ? running.get(behind) : 0;
        }
        return held;
    }

    /** How many workers a rank may hold together with those behind it: all, three quarters, a half. */
    private int share(Rank rank) {
        return Math.max(1, most - most * rank.ordinal() / 4);
    }
}
