package dev.weir.gateway.queues;

import dev.weir.gateway.broker.BrokerAway;
import dev.weir.gateway.broker.Link;
import dev.weir.gateway.broker.NoQueues;
import dev.weir.gateway.broker.QueueChannel;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Weir's queues. Entries share messages, and no caller's thread waits for the broker or for an answer.
 * Items whose client no longer waits go back at once. Safe for use from many threads.
 */
public final class QueueDesk implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(QueueDesk.class);

    /** Entries without an answer. Each takes some memory here, and work behind it. */
    public static final int MOST = 10_000;

    /** How long an answer may take beyond what was asked to wait. */
    private static final long PATIENCE_MILLIS = 10_000;

    /** Between two messages with one routing key while many requests come: shorter ones cost more of them, longer ones let pops wait. */
    private static final Duration MOMENT = Duration.ofMillis(4);

    /** At a stop, beyond the wait of the last pop: for its answer, and for the items that go back. */
    private static final long LAST_MILLIS = 1_000;

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Link link;
    private final DeskMetrics metrics;
    private final AtomicLong numbers = new AtomicLong();
    private final Semaphore places = new Semaphore(MOST);
    private final Map<Long, Asked> open = new ConcurrentHashMap<>();
    private final Unheard unheard = new Unheard();
    private final QueueChannel.Listener listener = new Hearing();
    private final Gathering gathering = new Gathering(MOMENT, this::send);

    private volatile boolean stopping;
    /** Once it is stopping, by {@link System#nanoTime}. */
    private long closeByNanos;

    /** Of the thread that sends, as what follows. */
    private QueueChannel channel;

    private RuntimeException failure;
    private long failedAt;

    public QueueDesk(Link link, MeterRegistry registry) {
        this.link = link;
        metrics = new DeskMetrics(registry, () -> MOST - places.availablePermits());
    }

    /**
     * Asks for one thing. Fails with {@link TooManyUnanswered}, {@link BrokerAway}, {@link NoQueues}, or {@link
     * java.util.concurrent.TimeoutException} ten seconds after its wait: then it may have been done.
     *
     * @param entry makes the entry with its number; may throw {@link InvalidMessage}, which goes to the caller
     * @param waitMillis how long the entry waits at the queues
     */
    public CompletableFuture<QueueAnswer> ask(LongFunction<? extends QueueEntry> entry, long waitMillis) {
        return askAll(List.of(entry), waitMillis).get(0);
    }

    /** As {@link #ask}, of all or of none; each has its own answer, in the same order. */
    public List<CompletableFuture<QueueAnswer>> askAll(
            List<? extends LongFunction<? extends QueueEntry>> entries, long waitMillis) {
        if (entries.isEmpty()) {
            return List.of();
        }
        List<QueueEntry> made = new ArrayList<>(entries.size());
        List<byte[]> written = new ArrayList<>(entries.size());
        for (LongFunction<? extends QueueEntry> entry : entries) {
            made.add(entry.apply(numbers.incrementAndGet()));
            written.add(Json.write(made.get(made.size() - 1)));
        }
        RuntimeException refusal = refusal(entries.size());
        if (refusal != null) {
            return LongStream.range(0, entries.size())
                    .mapToObj(i -> CompletableFuture.<QueueAnswer>failedFuture(refusal))
                    .toList();
        }
        Deadline deadline = new Deadline(entries.size(), waitMillis + PATIENCE_MILLIS);
        List<Asked> asked = new ArrayList<>(entries.size());
        for (int i = 0; i < made.size(); i++) {
            asked.add(asked(made.get(i), written.get(i), deadline));
        }
        if (stopping) {
            fail(asked, stops());
        } else {
            gather(asked);
        }
        return asked.stream().map(one -> one.answer).toList();
    }

    private RuntimeException refusal(int entries) {
        if (stopping) {
            return stops();
        }
        try {
            link.require();
        } catch (BrokerAway e) {
            return e;
        }
        return places.tryAcquire(entries) ? null : new TooManyUnanswered(MOST);
    }

    private Asked asked(QueueEntry entry, byte[] json, Deadline deadline) {
        Asked asked = new Asked(entry.n(), entry.routingKey(), json, entry instanceof Pop, deadline);
        open.put(asked.n, asked);
        var unused = asked.answer.whenComplete((answer, failed) -> {
            open.remove(asked.n);
            places.release();
        });
        return asked;
    }

    private void gather(List<Asked> entries) {
        try {
            gathering.add(entries);
        } catch (RejectedExecutionException e) {
            fail(entries, stops());
        }
    }

    private void send(String key, List<Asked> taken) {
        // A slow broker may have let the end of some come.
        taken.removeIf(this::isOver);
        for (List<Asked> parcel : Parcels.of(taken)) {
            try {
                sendTogether(key, parcel);
            } catch (RuntimeException e) {
                fail(parcel, e);
            }
        }
    }

    private boolean isOver(Asked asked) {
        if (asked.answer.isDone()) {
            unheard.remove(asked.n);
            return true;
        }
        return false;
    }

    private void sendTogether(String key, List<Asked> parcel) {
        QueueChannel way = channel();
        parcel.forEach(asked -> asked.sending(way));
        // Once more: the end of the gateway waits for answers to what it has found sent.
        parcel.removeIf(this::isOver);
        if (parcel.isEmpty()) {
            return;
        }
        byte[] body = Parcels.write(way.id(), parcel);
        CompletableFuture<Void> sent = key.equals(Names.ASKS_KEY)
                ? way.ask(
                        body,
                        Math.max(
                                1,
                                parcel.stream()
                                        .mapToLong(Asked::leftMillis)
                                        .max()
                                        .orElse(1)))
                : way.send(key, body);
        var unused = sent.whenComplete((done, failed) -> {
            if (failed != null) {
                fail(parcel, failed);
            }
        });
    }

    private void fail(List<Asked> parcel, Throwable failed) {
        for (Asked asked : parcel) {
            asked.answer.completeExceptionally(failed);
            unheard.remove(asked.n);
        }
    }

    /** While there is none, the broker is asked for one once a second. */
    private QueueChannel channel() {
        if (channel != null && channel.isOpen()) {
            return channel;
        }
        if (failure != null && System.nanoTime() - failedAt < RETRY_NANOS) {
            throw failure;
        }
        if (channel != null) {
            channel.close();
            channel = null;
        }
        try {
            channel = link.queueChannel(listener);
            failure = null;
            return channel;
        } catch (BrokerAway | NoQueues e) {
            if (failure == null) {
                LOG.warn("The queues cannot be used: {}", e.getMessage());
            }
            failure = e;
            failedAt = System.nanoTime();
            throw e;
        }
    }

    private static BrokerAway stops() {
        return new BrokerAway("the gateway stops; ask again", null);
    }

    /**
     * Gives items back that reach no client. When that fails, their leases end in time.
     *
     * @param unseen whether no client has read anything of them. Of one that may have, this counts as handed back: an item that makes each
     *     client close its connection must not come for ever
     */
    public void giveBack(List<LeasedItem> items, boolean unseen) {
        if (items.isEmpty()) {
            return;
        }
        Deadline deadline = new Deadline(items.size(), PATIENCE_MILLIS);
        List<Asked> back = new ArrayList<>(items.size());
        for (LeasedItem item : items) {
            metrics.givenBack();
            Done done = new Done(
                    numbers.incrementAndGet(),
                    item.token(),
                    End.RELEASED,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    unseen ? true : null);
            Asked asked = new Asked(done.n(), done.routingKey(), Json.write(done), false, deadline);
            unheard.add(asked);
            var unused = asked.answer.whenComplete((answer, failed) -> unheard.remove(asked.n));
            back.add(asked);
        }
        gather(back);
    }

    private final class Hearing implements QueueChannel.Listener {

        @Override
        public void came(QueueAnswers answers) {
            for (QueueAnswer answer : answers.answers()) {
                Asked asked = open.get(answer.n());
                boolean isTaken = asked != null && asked.answer.complete(answer);
                if (!isTaken && answer.items() != null) {
                    giveBack(answer.items(), true);
                }
                unheard.answered(answer);
            }
        }

        @Override
        public void ended(QueueChannel ended) {
            BrokerAway lost = new BrokerAway(
                    "the connection to the broker was lost before the answer came; it may have been done. Send it again",
                    null);
            open.values().stream()
                    .filter(asked -> asked.wasSentOn(ended))
                    .toList()
                    .forEach(asked -> asked.answer.completeExceptionally(lost));
            unheard.removeAllOf(ended);
        }
    }

    /** Whatever waits ends, and nothing more is asked. Items that come from now on go back. */
    public void end() {
        if (stopping) {
            return;
        }
        stopping = true;
        long longest = 0;
        for (Asked asked : List.copyOf(open.values())) {
            if (asked.isPop) {
                unheard.add(asked);
                longest = Math.max(longest, asked.leftMillis() - PATIENCE_MILLIS);
            }
            boolean isEnded = asked.answer.completeExceptionally(stops());
            if (!isEnded || !asked.isSent()) {
                unheard.remove(asked.n);
            }
        }
        closeByNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longest + LAST_MILLIS);
    }

    /**
     * Ends. Waits for the pops that the queues have, and until their items have gone back: at most a second longer than the queues let a
     * pop wait, and not at all when there are none.
     */
    @Override
    public void close() {
        end();
        try {
            unheard.awaitNone(closeByNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        gathering.close();
    }
}
