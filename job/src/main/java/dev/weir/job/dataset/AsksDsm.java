package dev.weir.job.dataset;

import dev.weir.connectors.dsm.DsmReader;
import dev.weir.job.wire.Inbound;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;

/**
 * Asks DSM about messages and owns the client for it. A full operator would stop its input, and with it checkpoint barriers and
 * the whole scheduler. So the number of waiting messages is limited; a message beyond the limit is answered at once, as if
 * DSM had not answered.
 */
abstract class AsksDsm extends RichAsyncFunction<Inbound, Inbound> {

    private static final int LARGE_BYTES = 64 << 10;
    private static final int LONGEST_UNTAKEN_SECONDS = 60;

    private final DsmAccess access;
    private final Waiting waiting = DsmAccess.waiting();
    private transient DsmReader reader;
    private transient Semaphore untaken;
    private transient Thread operator;
    /** The results of all waiting messages that were neither answered nor timed out. */
    private transient Set<ResultFuture<Inbound>> asked;

    AsksDsm(DsmAccess access) {
        this.access = access;
    }

    /** The message with DSM's answer; never an exception from DSM. Complete at once if there is nothing to ask. */
    abstract CompletableFuture<Inbound> ask(DsmReader dsm, Inbound message);

    /** The message with the reason why it has no answer. */
    abstract Inbound unanswered(Inbound message, String why);

    @Override
    public final void asyncInvoke(Inbound message, ResultFuture<Inbound> result) {
        if (!waiting.enter(message.body().length)) {
            result.complete(List.of(unanswered(message, "too many other requests wait for DSM")));
            return;
        }
        asked.add(result);
        var unused = ask(reader, message).whenComplete((answer, failure) -> {
            if (failure == null) {
                handOver(message, answer, result);
            } else if (end(message, result)) {
                result.completeExceptionally(failure);
            }
        });
    }

    /**
     * Ends the wait of a message. True for exactly one caller, which then answers: DSM's answer and Flink's timeout may come at the
     * same time.
     */
    private boolean end(Inbound message, ResultFuture<Inbound> result) {
        if (!asked.remove(result)) {
            return false;
        }
        waiting.leave(message.body().length);
        return true;
    }

    /**
     * Limits the large answers that the scheduler has not taken yet: the worker that read one waits and reads no other.
     * Flink never takes an answer after its timeout, so a late answer must not hold a permit, which would never return.
     */
    private void handOver(Inbound message, Inbound answer, ResultFuture<Inbound> result) {
        boolean counted = answer.answer().length >= LARGE_BYTES
                && Thread.currentThread() != operator
                && asked.contains(result)
                && untaken();
        if (!end(message, result)) {
            // Flink timed out, perhaps while this waited for the permit.
            releaseIf(counted);
            return;
        }
        try {
            result.complete(() -> {
                releaseIf(counted);
                return List.of(answer);
            });
        } catch (RuntimeException e) {
            // The operator has ended and does not take the answer.
            releaseIf(counted);
            throw e;
        }
    }

    private void releaseIf(boolean counted) {
        if (counted) {
            untaken.release();
        }
    }

    /** Acquires a permit. False after a long wait, so that a busy scheduler does not block later answers without limit. */
    private boolean untaken() {
        try {
            return untaken.tryAcquire(LONGEST_UNTAKEN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Flink passes the same result object here as to {@link #asyncInvoke}. */
    @Override
    public final void timeout(Inbound message, ResultFuture<Inbound> result) {
        if (end(message, result)) {
            result.complete(List.of(unanswered(message, "DSM did not answer in time")));
        }
    }

    @Override
    public final void open(OpenContext context) {
        operator = Thread.currentThread();
        untaken = new Semaphore(access.concurrency());
        asked = ConcurrentHashMap.newKeySet();
        reader = access.open();
    }

    @Override
    public final void close() {
        if (reader != null) {
            reader.close();
        }
    }
}
