package dev.weir.connectors.rabbitmq.source.consume;

import com.rabbitmq.client.Channel;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader's way to its queues: one connection with one channel per queue, reopened with growing pauses when it
 * breaks. Every channel has a number that is never used again, so that an acknowledgement for a channel that is gone is
 * recognised and dropped: the broker delivers those messages anew.
 *
 * <p>Threads: one thread calls {@link #next}, {@link #keepOpen} and {@link #drain}, and one, which may be another,
 * {@link #oldestUnacknowledged}; {@link #acknowledge}, {@link #nudge} and the gauges may be called from any.
 */
@Internal
public final class Consumers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Consumers.class);

    /** Between two looks for room. */
    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final SourceOptions options;
    private final String name;
    private final Standstill standstill;
    private final Buffered buffered;
    private final Calls calls;
    private final SharedConnection connection;
    /** Bounded by the prefetch windows, and in bytes by {@link #buffered}. */
    private final BlockingQueue<ConsumerEvent> events = new LinkedBlockingQueue<>();

    private final Map<String, QueueConsumer> open = new ConcurrentHashMap<>();
    private final Map<String, Retry> retries = new ConcurrentHashMap<>();
    private final AtomicLong channels = new AtomicLong();
    private final AtomicLong reconnects = new AtomicLong();
    private volatile boolean closed;

    /** Queues that were open once. */
    private final Set<String> openedBefore = new HashSet<>();

    /** When a queue that is not open is tried next. */
    record Retry(int failures, long dueNanos, long downSinceNanos) {}

    public Consumers(SourceOptions options, String name) {
        this(options, name, new Buffered(options.maxBufferedBytes(), System::nanoTime));
    }

    Consumers(SourceOptions options, String name, Buffered buffered) {
        this.options = options;
        this.name = name;
        this.standstill = new Standstill(options, name);
        this.buffered = buffered;
        this.calls = new Calls(name);
        this.connection = new SharedConnection(options.broker(), name);
    }

    /** Begins to consume queues, at the next {@link #keepOpen}. */
    public void add(Collection<String> queues) {
        long now = System.nanoTime();
        for (String queue : queues) {
            retries.put(queue, new Retry(0, now, now));
        }
    }

    /** The next event, or null if none came in time. */
    @Nullable public ConsumerEvent next(Duration wait) throws InterruptedException {
        ConsumerEvent event = events.poll();
        return event != null || wait.isZero() ? event : events.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends a wait in {@link #next}. */
    public void nudge() {
        events.add(new ConsumerEvent.Nudge());
    }

    void post(ConsumerEvent event) {
        events.add(event);
    }

    /**
     * Takes note that a channel is gone; its queue is tried again after a pause.
     *
     * @throws IOException if it is read to an end and no checkpoint has begun: all that was read would be read a second time, and the
     *     result be wrong. Only what fits a window is recognised, by a source that can
     */
    public void interrupted(ConsumerEvent.Interrupted event) throws IOException {
        QueueConsumer consumer = open.get(event.queue());
        // Our own close() ends the channels too; that is no loss to report.
        if (closed || consumer == null || consumer.number() != event.channel()) {
            return;
        }
        open.remove(event.queue());
        consumer.abort();
        if (countsTwice(consumer)) {
            throw new IOException(describe(event.queue())
                    + " was lost while it was read to its end without checkpoints, or before the first (" + event.why()
                    + "). All its messages come again; the task fails, so that a restart reads them anew and none"
                    + " counts twice");
        }
        Retry before =
                consumer.wasOfUse(options.backOff().max()) ? new Retry(0, 0, System.nanoTime()) : consumer.openedBy();
        schedule(event.queue(), before.failures() + 1, before.downSinceNanos());
        LOG.warn("{}: lost queue {} at {}: {}", name, event.queue(), options.broker(), event.why());
    }

    private boolean countsTwice(QueueConsumer lost) {
        boolean recognised = options.exactlyOnce() && !lost.window().isWidened();
        return standstill.isBounded()
                && !standstill.isExpectingCheckpoints()
                && lost.window().newest() > 0
                && !recognised;
    }

    private void schedule(String queue, int failures, long downSince) {
        long due = System.nanoTime() + options.backOff().pauseAfter(failures).toNanos();
        retries.put(queue, new Retry(failures, due, downSince));
    }

    /**
     * Opens what is not open and due. A queue that was too large for the room waits for half of it to be free.
     *
     * @return how long until something is due again; null if everything is open
     * @throws IOException if a queue has been away for the back-off's limit
     */
    @Nullable public Duration keepOpen() throws IOException {
        if (!standstill.isBounded()) {
            buffered.takeWidened().forEach(queue -> reopen(open.get(queue), "its window may be as configured again"));
        }
        Duration next = null;
        for (Map.Entry<String, Retry> entry : Map.copyOf(retries).entrySet()) {
            Retry retry = entry.getValue();
            long now = System.nanoTime();
            if (now - retry.dueNanos() >= 0) {
                if (buffered.hasRoomFor(entry.getKey())) {
                    tryOpen(entry.getKey(), retry);
                } else {
                    retries.put(entry.getKey(), new Retry(retry.failures(), now + ROOM_NANOS, now));
                }
                retry = retries.get(entry.getKey());
            }
            if (retry != null) {
                Duration wait = Duration.ofNanos(Math.max(1_000_000, retry.dueNanos() - System.nanoTime()));
                next = next == null || wait.compareTo(next) < 0 ? wait : next;
            }
        }
        return next;
    }

    private void tryOpen(String queue, Retry retry) throws IOException {
        Channel channel = null;
        try {
            channel = connection.get().createChannel();
            if (channel == null) {
                throw new IOException("the broker allows no further channel on this connection");
            }
            if (!options.topology().isEmpty()) {
                options.topology().declareOn(channel);
            }
            int window = buffered.window(queue, options.prefetch());
            channel.basicQos(window);
            QueueConsumer consumer =
                    new QueueConsumer(this, channel, channels.incrementAndGet(), queue, window, retry, buffered);
            open.put(queue, consumer);
            retries.remove(queue);
            consumer.start();
            if (!openedBefore.add(queue)) {
                reconnects.incrementAndGet();
            }
            LOG.info("{}: consuming queue {} at {}", name, queue, options.broker());
        } catch (IOException | RuntimeException e) {
            open.remove(queue);
            abort(channel);
            boolean workedBefore = channel == null ? !openedBefore.isEmpty() : openedBefore.contains(queue);
            notOpened(queue, retry, e, workedBefore);
        }
    }

    /** Also one whose answer to a declaration never came: it would stay open as long as the connection does. */
    private void abort(@Nullable Channel half) {
        try {
            if (half != null) {
                half.abort();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("{}: the channel was closed already: {}", name, Reason.of(e));
        }
    }

    /**
     * A try has failed.
     *
     * @param workedBefore what has failed now: the connection, which all queues share, or this queue
     */
    private void notOpened(String queue, Retry retry, Exception cause, boolean workedBefore) throws IOException {
        if (closed) {
            return;
        }
        String why = Reason.of(cause);
        if (!workedBefore && Reason.isRefusal(cause)) {
            throw new IOException(describe(queue) + " cannot be consumed: " + why, Reason.withoutNames(cause));
        }
        Duration down = Duration.ofNanos(System.nanoTime() - retry.downSinceNanos());
        if (down.compareTo(options.backOff().giveUpAfter()) > 0) {
            throw new IOException(
                    describe(queue) + " could not be consumed for "
                            + down.toSeconds() + " s (" + why + "); nothing is lost. Create it, or declare it with"
                            + " setTopology, or allow more time with setReconnect",
                    Reason.withoutNames(cause));
        }
        schedule(queue, retry.failures() + 1, retry.downSinceNanos());
        LOG.warn("{}: cannot consume queue {} at {}: {}; trying again", name, queue, options.broker(), why);
    }

    /**
     * Acknowledges everything up to a delivery on a channel; ignored if that channel is gone.
     *
     * @return whether the acknowledgement was sent
     */
    public boolean acknowledge(String queue, long channel, long deliveryTag) {
        QueueConsumer consumer = open.get(queue);
        return consumer != null && consumer.number() == channel && consumer.acknowledge(deliveryTag);
    }

    /** Whether a queue's channel with that number is there, for all that this side knows. */
    public boolean isOpen(String queue, long channel) {
        QueueConsumer consumer = open.get(queue);
        return consumer != null && consumer.number() == channel && consumer.isOpen();
    }

    /** Whether a queue has had another channel since. */
    public boolean isReplaced(String queue, long channel) {
        QueueConsumer consumer = open.get(queue);
        return consumer != null && consumer.number() != channel;
    }

    /** Gives a queue up that was stopped: what it delivered beyond its end goes back soon, before a consumer timeout. */
    public void release(String queue) {
        QueueConsumer consumer = open.remove(queue);
        if (consumer != null) {
            calls.begin(consumer::abort);
        }
    }

    /** Whether the broker answers on a queue's channel, and has therefore heard everything said before; waits 30 s at most, or until interrupted. */
    public boolean isAnswered(String queue, long channel) {
        QueueConsumer consumer = open.get(queue);
        return consumer != null && consumer.number() == channel && calls.ask(consumer::isAnswered);
    }

    /** A queue and where it is, for errors. */
    public String describe(String queue) {
        return "Queue " + queue + " at " + options.broker().describe();
    }

    /** From the task's thread: a checkpoint has begun, so acknowledgements come. */
    public void expectAcknowledgements() {
        standstill.checkpointBegan();
    }

    /**
     * Looks whether a queue waits in vain for an acknowledgement; see {@link Standstill}.
     *
     * @throws IOException if it is to be read to its end, and the broker delivers no more without one
     */
    public void lookForStandstill(String queue) throws IOException {
        QueueConsumer consumer = open.get(queue);
        if (consumer != null && events.isEmpty() && buffered.isHalfEmpty()) {
            standstill.look(consumer);
        }
    }

    /**
     * Ends the consumption of a queue if it is empty now, and has been open for a second; a {@link ConsumerEvent.Drained} follows its
     * last message.
     *
     * @throws IOException if the broker gives no answer about this queue
     */
    public void drain(String queue) throws IOException {
        QueueConsumer consumer = open.get(queue);
        if (consumer != null) {
            consumer.cancelIfEmpty();
        }
    }

    /** Ends the consumption of a queue; its channel stays open for acknowledgements. */
    public void stop(String queue) {
        retries.remove(queue);
        QueueConsumer consumer = open.get(queue);
        if (consumer != null) {
            consumer.cancel();
        }
    }

    /** From any thread: a delivery has been dealt with, and is not held any more. */
    public void handled(Delivery delivery) {
        buffered.give(delivery.body().length);
    }

    /** From the connection's thread: a window holds more bytes than there is room for. Its queue is opened again with another. */
    void overflowed(QueueConsumer consumer, long averageBody) {
        reopen(consumer, buffered.narrow(consumer.queue(), consumer.window().limit(), averageBody, open.size()));
    }

    private void reopen(@Nullable QueueConsumer consumer, String why) {
        if (consumer != null) {
            post(new ConsumerEvent.Interrupted(consumer.number(), consumer.queue(), why));
            calls.begin(consumer::abort);
        }
    }

    /** Bytes of bodies that were delivered and are not dealt with. */
    public long bufferedBytes() {
        return buffered.bytes();
    }

    /** Asks the broker how many messages are ready in each queue. */
    public void refreshDepths() {
        open.values().forEach(QueueConsumer::refreshDepth);
    }

    /** For how long each open queue has had an unacknowledged message, as far as calls of this one have seen. For one thread. */
    public Map<String, Duration> oldestUnacknowledged() {
        long now = System.nanoTime();
        return open.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().window().oldestUnacknowledged(now)));
    }

    /** Messages that are ready in the queues, as of the last look, plus those delivered here and not yet fetched. */
    public long pending() {
        long ready = open.values().stream().mapToLong(QueueConsumer::depth).sum();
        return ready + events.size();
    }

    /** How often a queue was opened again. */
    public long reconnects() {
        return reconnects.get();
    }

    /** Closes the connection; the broker takes back what was not acknowledged. */
    @Override
    public void close() {
        closed = true;
        connection.close();
        calls.close();
        nudge();
    }
}
