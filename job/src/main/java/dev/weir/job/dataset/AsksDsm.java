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
 * Asks DSM about messages, and holds the connection to it from the operator's start to its end. An operator that is full would stop
 * its input, with it the barriers of checkpoints, and with them the whole scheduler: so no more than so many messages wait here, and
 * any more are answered at once as if DSM had not answered.
 */
abstract class AsksDsm extends RichAsyncFunction<Inbound, Inbound> {

    private static final int LARGE_BYTES = 64 << 10;
    private static final int LONGEST_UNTAKEN_SECONDS = 60;

    private final DsmAccess access;
    private final Waiting waiting = DsmAccess.waiting();
    private transient DsmReader reader;
    private transient Semaphore untaken;
    private transient Thread operator;
    /** The results of all that wait and were neither answered nor given up. */
    private transient Set<ResultFuture<Inbound>> asked;

    AsksDsm(DsmAccess access) {
        this.access = access;
    }

    /** The message with DSM's answer; never an exception from DSM. Complete at once if there is nothing to ask. */
    abstract CompletableFuture<Inbound> ask(DsmReader dsm, Inbound message);

    /** The message without an answer. */
    abstract Inbound unanswered(Inbound message, String why);

    @Override
    public final void asyncInvoke(Inbound message, ResultFuture<Inbound> result) {
        if (!waiting.enter(message.body().length)) {
            result.complete(List.of(unanswered(message, "too many others wait for DSM")));
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
     * True for one caller only, who then answers: DSM's answer and Flink's time-out may come at the same time. The message waits
     * no more.
     */
    private boolean end(Inbound message, ResultFuture<Inbound> result) {
        if (!asked.remove(result)) {
            return false;
        }
        waiting.leave(message.body().length);
        return true;
    }

    /**
     * Large answers that the scheduler is too busy to take must not gather here: the worker that read one waits, and reads no other.
     * Flink never takes an answer that comes after it gave up, so such a one must hold no place: it would be missed for ever.
     */
    private void handOver(Inbound message, Inbound answer, ResultFuture<Inbound> result) {
        boolean counted = answer.answer().length >= LARGE_BYTES
                && Thread.currentThread() != operator
                && asked.contains(result)
                && untaken();
        if (!end(message, result)) {
            // Flink gave up, perhaps while this waited for the place.
            releaseIf(counted);
            return;
        }
        try {
            result.complete(() -> {
                releaseIf(counted);
                return List.of(answer);
            });
        } catch (RuntimeException e) {
            // The operator ends, and nobody takes the answer.
            releaseIf(counted);
            throw e;
        }
    }

    private void releaseIf(boolean counted) {
        if (counted) {
            untaken.release();
        }
    }

    /** False after a long wait: a scheduler that takes nothing for so long does not keep others from being told. */
    private boolean untaken() {
        try {
            return untaken.tryAcquire(LONGEST_UNTAKEN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Flink gives the same result here as when it asked. */
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
