package dev.weir.connectors.rabbitmq.sink.publish;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages in order and keeps each until the broker has confirmed it. When the connection breaks, or the
 * broker refuses a message, a new connection is opened and everything unconfirmed is published again in its order before
 * anything new.
 *
 * <p>Threads: one caller publishes and waits; the connection's thread delivers confirms; one maintenance thread
 * reconnects, replays and cuts off what hangs. {@code sending} guards the channel and may be held during a socket write;
 * {@code lock} guards everything else and never is, so that confirms are always taken in.
 */
public final class Publisher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final Duration WATCH_INTERVAL = Duration.ofMillis(500);
    /** How long after a nack the return that explains it may come. */
    private static final Duration RETURN_AFTER_NACK = Duration.ofMillis(50);

    private final SinkOptions options;
    private final String name;
    private final PublisherMetrics metrics;
    private final ScheduledExecutorService maintenance;

    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final InFlight inFlight = new InFlight();
    private final Map<AmqpMessage, Long> returned = new IdentityHashMap<>();

    @Nullable private ConfirmingChannel channel;

    @Nullable private ConfirmingChannel opening;

    @Nullable private IOException failure;

    private boolean closed;
    private boolean connectedBefore;
    private int failures;
    private int refusals;
    private long lastConfirmNanos = System.nanoTime();
    /** Sequence number of the first message that was taken and not published yet; 0 when there is none. */
    private long unsentFrom;

    private long movingSinceNanos = System.nanoTime();
    private String trouble = "not connected yet";

    /** When the write under way began, 0 if there is none; for the watch over hanging writes. */
    private volatile long writingSinceNanos;

    public Publisher(SinkOptions options, String name, PublisherMetrics metrics) {
        this.options = options;
        this.name = name;
        this.metrics = metrics;
        this.maintenance = DaemonThreads.scheduler(name);
        metrics.gauge("unconfirmed", this::unconfirmedCount);
        metrics.gauge("blocked", () -> isBlocked() ? 1L : 0L);
    }

    /** Adds messages that an earlier publisher left unconfirmed; before {@link #start()}. */
    public void takeOver(Collection<AmqpMessage> messages) {
        lock.lock();
        try {
            messages.forEach(inFlight::add);
        } finally {
            lock.unlock();
        }
    }

    /** Begins to connect, in the background. */
    public void start() {
        maintenance.execute(this::connect);
        long millis = WATCH_INTERVAL.toMillis();
        var unused = maintenance.scheduleWithFixedDelay(this::watch, millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Publishes a message, or takes it for the time after the reconnect. Waits while the window is full or the broker
     * away.
     *
     * @throws IOException if nothing has moved for the back-off's limit, or a message was refused for good
     */
    public void publish(AmqpMessage message) throws IOException, InterruptedException {
        while (true) {
            ConfirmingChannel ready = awaitRoom();
            sending.lockInterruptibly();
            try {
                if (send(ready, message)) {
                    metrics.sent().inc();
                    metrics.sentBytes().inc(message.body().length);
                    return;
                }
            } finally {
                sending.unlock();
            }
        }
    }

    private ConfirmingChannel awaitRoom() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                throwIfFailed();
                if (channel != null && hasRoom()) {
                    return channel;
                }
                awaitChange(Long.MAX_VALUE);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom() {
        return inFlight.isEmpty()
                || (inFlight.size() < options.maxInFlight() && inFlight.bytes() < options.maxInFlightBytes());
    }

    /** Waits for a change, at most half a second and until the deadline, and fails when all has stood still too long. */
    private void awaitChange(long deadlineNanos) throws IOException, InterruptedException {
        long now = System.nanoTime();
        long still = now - movingSinceNanos;
        if (still > options.backOff().giveUpAfter().toNanos()) {
            throw new IOException(
                    "Publishing to the broker at " + options.broker().describe() + " has stood still for "
                            + Duration.ofNanos(still).toSeconds() + " s with " + inFlight.size()
                            + " messages unconfirmed (" + standstill()
                            + "); nothing is lost, the job goes on from its last checkpoint. Check the broker, or allow more time"
                            + " with setReconnect");
        }
        long wait = WATCH_INTERVAL.toNanos();
        if (deadlineNanos != Long.MAX_VALUE) {
            wait = Math.max(1, Math.min(wait, deadlineNanos - now));
        }
        var unused = changed.awaitNanos(wait);
    }

    private String standstill() {
        if (channel == null) {
            return trouble;
        }
        return channel.isBlocked()
                ? "the broker blocks the connection: " + channel.blockedReason()
                : "no confirms come";
    }

    /**
     * Takes a message into the window and publishes it. While the broker blocks the connection it is only taken, so that a
     * checkpoint can pass and what was read before it can be acknowledged; the window bounds how much is taken.
     */
    private boolean send(ConfirmingChannel on, AmqpMessage message) throws IOException {
        boolean held;
        lock.lock();
        try {
            if (channel != on) {
                return false;
            }
            held = unsentFrom != 0 || on.isBlocked();
            if (inFlight.isEmpty()) {
                movingSinceNanos = System.nanoTime();
                lastConfirmNanos = movingSinceNanos;
            }
            inFlight.add(message);
            if (held && unsentFrom == 0) {
                unsentFrom = inFlight.lastSequence();
            }
        } finally {
            lock.unlock();
        }
        if (!held) {
            write(on, message);
        } else if (!on.isBlocked()) {
            again(Duration.ZERO, this::sendHeld);
        }
        return true;
    }

    /** Publishes what was taken while the connection was blocked, in its order and before anything new. */
    private void sendHeld() {
        sending.lock();
        try {
            for (Held next = nextHeld(); next != null; next = nextHeld()) {
                write(next.on(), next.message());
            }
        } catch (IOException e) {
            LOG.debug("{}: the task is told: {}", name, e.getMessage());
        } finally {
            sending.unlock();
        }
    }

    private record Held(ConfirmingChannel on, AmqpMessage message) {}

    @Nullable private Held nextHeld() {
        lock.lock();
        try {
            if (closed || channel == null || channel.isBlocked() || unsentFrom == 0) {
                return null;
            }
            long sequence = unsentFrom;
            unsentFrom = sequence < inFlight.lastSequence() ? sequence + 1 : 0;
            AmqpMessage message = inFlight.at(sequence);
            return message == null ? null : new Held(channel, message);
        } finally {
            lock.unlock();
        }
    }

    /** Writes one message that is already in flight; a connection that breaks here is replaced and the message repeated. */
    private void write(ConfirmingChannel on, AmqpMessage message) throws IOException {
        writingSinceNanos = System.nanoTime() | 1;
        try {
            on.publish(message);
        } catch (IOException | AlreadyClosedException e) {
            lost(on, Reason.of(e));
        } catch (RuntimeException e) {
            IOException refused = new IOException(message + " cannot be encoded: " + e.getMessage(), e);
            fail(refused);
            throw refused;
        } finally {
            writingSinceNanos = 0;
        }
    }

    /** Waits until the broker has confirmed everything, at most for the confirm timeout; the rest stays in flight. */
    public void awaitConfirmsForACheckpoint() throws IOException, InterruptedException {
        awaitConfirms(System.nanoTime() + options.confirmTimeout().toNanos());
    }

    /**
     * Waits until the broker has confirmed everything.
     *
     * @throws IOException if nothing has moved for the back-off's limit
     */
    public void awaitAllConfirmed() throws IOException, InterruptedException {
        awaitConfirms(Long.MAX_VALUE);
    }

    private void awaitConfirms(long deadlineNanos) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                throwIfFailed();
                if (inFlight.isEmpty()) {
                    return;
                }
                if (deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos >= 0) {
                    LOG.warn(
                            "{} messages are unconfirmed after {} ({}): they go into the checkpoint and stay in flight",
                            inFlight.size(),
                            options.confirmTimeout(),
                            standstill());
                    return;
                }
                awaitChange(deadlineNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The messages that are not confirmed now, oldest first.
     *
     * @throws IOException if one was refused for good
     */
    public List<AmqpMessage> unconfirmed() throws IOException {
        lock.lock();
        try {
            throwIfFailed();
            return inFlight.messages();
        } finally {
            lock.unlock();
        }
    }

    private long unconfirmedCount() {
        lock.lock();
        try {
            return inFlight.size();
        } finally {
            lock.unlock();
        }
    }

    private boolean isBlocked() {
        lock.lock();
        try {
            return channel != null && channel.isBlocked();
        } finally {
            lock.unlock();
        }
    }

    private void throwIfFailed() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (closed) {
            throw new IOException("The publisher " + name + " is closed");
        }
    }

    private void fail(IOException cause) {
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- what the connection's thread tells ----

    void confirmed(ConfirmingChannel on, long sequence, boolean multiple) {
        lock.lock();
        try {
            if (on != channel && on != opening) {
                return;
            }
            boolean repeat = false;
            long from = multiple ? inFlight.firstSequence() : sequence;
            for (long n = from; n <= sequence; n++) {
                AmqpMessage message = inFlight.at(n);
                if (message != null && on.wasReturned(message) && options.unroutable() instanceof Unroutable.Retry) {
                    repeat = true;
                } else if (message != null) {
                    inFlight.remove(n);
                    returned.remove(message);
                    on.forget(message);
                }
            }
            lastConfirmNanos = System.nanoTime();
            movingSinceNanos = lastConfirmNanos;
            if (inFlight.isEmpty()) {
                refusals = 0;
            }
            changed.signalAll();
            if (repeat) {
                refused(on, "a message was unroutable");
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The broker refuses messages. RabbitMQ does when a queue is full or failed; Qpid also before it returns a message that
     * has no queue, so that the reason is known only a moment later.
     */
    void nacked(ConfirmingChannel on, long sequence, boolean multiple) {
        metrics.errors().inc();
        lock.lock();
        try {
            if (on != channel && on != opening) {
                return;
            }
            for (long n = multiple ? inFlight.firstSequence() : sequence; n <= sequence; n++) {
                AmqpMessage message = inFlight.at(n);
                if (message != null && !dropIfReturned(on, n, message)) {
                    on.markNacked(message);
                }
            }
            again(RETURN_AFTER_NACK, () -> repeatIfStillNacked(on));
        } finally {
            lock.unlock();
        }
    }

    private boolean dropIfReturned(ConfirmingChannel on, long sequence, AmqpMessage message) {
        boolean drop = options.unroutable().drops(message.exchange()) && on.wasReturned(message);
        if (drop) {
            inFlight.remove(sequence);
            on.forget(message);
            lastConfirmNanos = System.nanoTime();
            movingSinceNanos = lastConfirmNanos;
            changed.signalAll();
        }
        return drop;
    }

    private void repeatIfStillNacked(ConfirmingChannel on) {
        lock.lock();
        try {
            if ((on == channel || on == opening) && inFlight.messages().stream().anyMatch(on::wasNacked)) {
                refused(on, "the broker answered basic.nack: a queue is full or failed, or there is none");
            }
        } finally {
            lock.unlock();
        }
    }

    /** A message came back; its confirm, or on some brokers its nack, comes before or after. */
    void returned(ConfirmingChannel on, AMQP.BasicProperties properties, String exchange, String key, String text) {
        metrics.errors().inc();
        metrics.unroutable().inc();
        AmqpMessage message = markReturned(on, properties.getMessageId());
        if (options.unroutable().drops(exchange)) {
            LOG.debug("Dropped a message to exchange '{}' with key '{}': {}", exchange, key, text);
            return;
        }
        String what = "The message " + properties.getMessageId() + " to exchange '" + exchange + "' with routing key '"
                + key + "' was returned by the broker (" + text + "): no queue is bound for it";
        if (options.unroutable() instanceof Unroutable.Retry retry) {
            if (message == null || !isOver(retry, message)) {
                return;
            }
            what += ", for " + retry.limit() + " now";
        }
        fail(new IOException(what + ". Bind a queue, or choose with setUnroutable what to do"));
    }

    @Nullable private AmqpMessage markReturned(ConfirmingChannel on, String messageId) {
        lock.lock();
        try {
            if (on != channel && on != opening) {
                return null;
            }
            for (long n = inFlight.firstSequence(); n <= inFlight.lastSequence(); n++) {
                AmqpMessage message = inFlight.at(n);
                if (message != null
                        && message.properties().getMessageId().equals(messageId)
                        && on.markReturned(message)) {
                    if (on.wasNacked(message)) {
                        var unused = dropIfReturned(on, n, message);
                    }
                    return message;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(Unroutable.Retry retry, AmqpMessage message) {
        lock.lock();
        try {
            long now = System.nanoTime();
            Long since = returned.putIfAbsent(message, now);
            return since != null && now - since > retry.limit().toNanos();
        } finally {
            lock.unlock();
        }
    }

    void unblocked() {
        lock.lock();
        try {
            lastConfirmNanos = System.nanoTime();
            changed.signalAll();
            again(Duration.ZERO, this::sendHeld);
        } finally {
            lock.unlock();
        }
    }

    private void refused(ConfirmingChannel on, String why) {
        if (on == channel) {
            refusals++;
            lost(on, why);
        } else if (on == opening) {
            refusals++;
            on.condemn(why);
        }
    }

    /** The channel is of no use any more: another one takes its place after a pause. */
    void lost(ConfirmingChannel on, String why) {
        lock.lock();
        try {
            if (on != channel || closed) {
                return;
            }
            channel = null;
            trouble = why;
            if (inFlight.isEmpty()) {
                movingSinceNanos = System.nanoTime();
            }
            changed.signalAll();
            Duration pause = refusals == 0 ? Duration.ZERO : options.backOff().pauseAfter(refusals);
            LOG.warn(
                    "{}: lost the channel to {} ({}), {} messages to repeat, next try in {} ms",
                    name,
                    options.broker(),
                    why,
                    inFlight.size(),
                    pause.toMillis());
            again(pause, () -> {
                on.cutOff();
                connect();
            });
        } finally {
            lock.unlock();
        }
    }

    private void again(Duration pause, Runnable task) {
        try {
            var unused = maintenance.schedule(task, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is closing", name);
        }
    }

    // ---- what the maintenance thread does ----

    private void connect() {
        lock.lock();
        try {
            if (closed || channel != null) {
                return;
            }
        } finally {
            lock.unlock();
        }
        ConfirmingChannel fresh = null;
        try {
            fresh = ConfirmingChannel.open(options, name, this);
            replayOn(fresh);
        } catch (IOException | RuntimeException e) {
            notConnected(fresh, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            notConnected(fresh, e);
        }
    }

    private void notConnected(@Nullable ConfirmingChannel fresh, Exception e) {
        if (fresh != null) {
            fresh.cutOff();
        }
        lock.lock();
        try {
            opening = null;
            if (closed) {
                return;
            }
            failures++;
            trouble = Reason.of(e);
            Duration pause = options.backOff().pauseAfter(Math.max(failures, refusals));
            LOG.warn("{}: {}; next try in {} ms", name, trouble, pause.toMillis());
            again(pause, this::connect);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void replayOn(ConfirmingChannel fresh) throws IOException, InterruptedException {
        sending.lockInterruptibly();
        try {
            List<AmqpMessage> again;
            lock.lock();
            try {
                again = inFlight.renumber();
                unsentFrom = 0;
                opening = fresh;
                lastConfirmNanos = System.nanoTime();
            } finally {
                lock.unlock();
            }
            for (AmqpMessage message : again) {
                awaitUnblocked(fresh);
                writingSinceNanos = System.nanoTime() | 1;
                try {
                    fresh.publish(message);
                } finally {
                    writingSinceNanos = 0;
                }
                metrics.republished().inc();
            }
            ready(fresh);
        } finally {
            sending.unlock();
        }
    }

    private void awaitUnblocked(ConfirmingChannel fresh) throws IOException, InterruptedException {
        if (!fresh.isBlocked()) {
            return;
        }
        lock.lock();
        try {
            while (fresh.isBlocked() && !closed) {
                fresh.throwIfCondemned();
                var unused = changed.awaitNanos(WATCH_INTERVAL.toNanos());
            }
        } finally {
            lock.unlock();
        }
    }

    private void ready(ConfirmingChannel fresh) throws IOException {
        lock.lock();
        try {
            fresh.throwIfCondemned();
            opening = null;
            if (closed) {
                fresh.cutOff();
                return;
            }
            channel = fresh;
            if (connectedBefore) {
                metrics.reconnects().inc();
            }
            connectedBefore = true;
            failures = 0;
            trouble = "";
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        LOG.info("{}: publishing to {}", name, options.broker());
    }

    /** Cuts off a write that hangs, and a connection that is open but confirms nothing. */
    private void watch() {
        long limit = options.confirmTimeout().toNanos();
        long now = System.nanoTime();
        long writing = writingSinceNanos;
        ConfirmingChannel suspect = null;
        String why = "";
        lock.lock();
        try {
            ConfirmingChannel current = channel;
            if (current != null && writing != 0 && now - writing > limit) {
                suspect = current;
                why = "a write took longer than " + options.confirmTimeout();
            } else if (current != null
                    && !current.isBlocked()
                    && !inFlight.isEmpty()
                    && now - lastConfirmNanos > limit) {
                suspect = current;
                why = "no confirm for " + options.confirmTimeout();
            }
        } finally {
            lock.unlock();
        }
        if (suspect != null) {
            suspect.cutOff();
            lost(suspect, why);
        }
    }

    /** Closes the connection; what is unconfirmed is in the last checkpoint or will be made again from it. */
    @Override
    public void close() {
        ConfirmingChannel last;
        lock.lock();
        try {
            closed = true;
            last = channel;
            channel = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        maintenance.shutdownNow();
        if (last != null) {
            last.closeGently();
        }
    }

    /** For tests and diagnosis. */
    @Nullable Channel currentChannel() {
        lock.lock();
        try {
            return channel == null ? null : channel.raw();
        } finally {
            lock.unlock();
        }
    }
}
