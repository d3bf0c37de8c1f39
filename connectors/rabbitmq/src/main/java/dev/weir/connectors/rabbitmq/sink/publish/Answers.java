package dev.weir.connectors.rabbitmq.sink.publish;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.common.Seldom;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import java.io.IOException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a message when the broker confirms, refuses or returns it. Called by the connection's thread. */
final class Answers implements ConfirmingChannel.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
    /** How long after a nack the return that explains it may come. */
    private static final Duration RETURN_AFTER_NACK = Duration.ofMillis(50);

    private final PublisherState state;
    private final Unroutable unroutable;
    private final PublisherMetrics metrics;
    private final Reconnector reconnector;
    /** When messages that are tried again were returned first. Guarded by the state's lock. */
    private final Map<AmqpMessage, Long> returned = new IdentityHashMap<>();

    private final Refusals refusals;
    private final ReentrantLock lock;
    private final Seldom dropped = new Seldom();

    Answers(PublisherState state, SinkOptions options, PublisherMetrics metrics, Reconnector reconnector) {
        this.state = state;
        this.unroutable = options.unroutable();
        this.refusals = new Refusals(state, options.refused(), metrics);
        this.metrics = metrics;
        this.reconnector = reconnector;
        this.lock = state.lock();
    }

    @Override
    public void confirmed(ConfirmingChannel on, long sequence, boolean multiple) {
        boolean repeat = false;
        lock.lock();
        try {
            if (on != state.current()) {
                return;
            }
            for (long n = multiple ? state.window().firstSequence() : sequence; n <= sequence; n++) {
                AmqpMessage message = state.window().at(n);
                if (message != null && on.wasNacked(message)) {
                    // Answered already: an ack of all up to a number does not mean it, and it is still to be repeated.
                    continue;
                }
                if (message != null && on.wasReturned(message) && unroutable instanceof Unroutable.Retry) {
                    repeat = true;
                } else if (message != null) {
                    settle(on, n, message);
                }
            }
            state.settled();
            reconnector.confirmed(state.window().isEmpty());
        } finally {
            lock.unlock();
        }
        if (repeat) {
            reconnector.refused(on, "a message was unroutable");
        } else {
            writeOnIfOneAtATime();
        }
    }

    /** What is suspect is written one at a time: the next one may go. */
    private void writeOnIfOneAtATime() {
        if (state.hasSuspects()) {
            reconnector.writeOn();
        }
    }

    private void settle(ConfirmingChannel on, long sequence, AmqpMessage message) {
        state.window().remove(sequence);
        returned.remove(message);
        on.forget(message);
        refusals.forget(message);
    }

    /**
     * The broker refuses messages. RabbitMQ does when a queue is full or failed; Qpid also before it returns a message that
     * has no queue, so that the reason is known only a moment later.
     */
    @Override
    public void nacked(ConfirmingChannel on, long sequence, boolean multiple) {
        metrics.errors().inc();
        lock.lock();
        try {
            if (on != state.current()) {
                return;
            }
            for (long n = multiple ? state.window().firstSequence() : sequence; n <= sequence; n++) {
                AmqpMessage message = state.window().at(n);
                if (message != null && !settleIfDropped(on, n, message)) {
                    on.markNacked(message);
                }
            }
        } finally {
            lock.unlock();
        }
        writeOnIfOneAtATime();
        reconnector.after(RETURN_AFTER_NACK, () -> repeatIfStillNacked(on));
    }

    private boolean settleIfDropped(ConfirmingChannel on, long sequence, AmqpMessage message) {
        boolean drop = unroutable.drops(message.exchange()) && on.wasReturned(message);
        if (drop) {
            settle(on, sequence, message);
            state.settled();
        }
        return drop;
    }

    private void repeatIfStillNacked(ConfirmingChannel on) {
        boolean still;
        lock.lock();
        try {
            still = on == state.current() && state.window().messages().stream().anyMatch(on::wasNacked);
        } finally {
            lock.unlock();
        }
        if (still) {
            reconnector.refused(on, "the broker answered basic.nack: a queue is full or failed, or there is none");
        }
    }

    /** A message came back; its confirm, or on some brokers its nack, comes before or after. */
    @Override
    public void returned(ConfirmingChannel on, Return back) {
        metrics.errors().inc();
        metrics.unroutable().inc();
        String id = back.getProperties().getMessageId();
        AmqpMessage message = markReturned(on, back);
        writeOnIfOneAtATime();
        if (unroutable.drops(back.getExchange())) {
            long since = dropped.happened();
            if (since > 0) {
                LOG.warn(
                        "Dropped the message {} to exchange '{}' with routing key '{}', as no queue is bound for it, the last of {}"
                                + " since the last such line (metric unroutable)",
                        id,
                        back.getExchange(),
                        back.getRoutingKey(),
                        since);
            }
            return;
        }
        String what = "The message " + id + " to exchange '" + back.getExchange() + "' with routing key '"
                + back.getRoutingKey() + "' was returned by the broker (" + back.getReplyText()
                + "): no queue is bound for it";
        if (unroutable instanceof Unroutable.Retry retry) {
            if (message == null || !isOver(retry, message)) {
                return;
            }
            what += ", for " + retry.limit() + " now";
        }
        state.fail(new IOException(what + ". Bind a queue, or choose with setUnroutable what to do"));
    }

    /** Ids alone would not do: one entity may go to several queues under one id. */
    private static boolean isOf(Return back, AmqpMessage message) {
        return message.properties().getMessageId().equals(back.getProperties().getMessageId())
                && message.exchange().equals(back.getExchange())
                && message.routingKey().equals(back.getRoutingKey());
    }

    @Nullable private AmqpMessage markReturned(ConfirmingChannel on, Return back) {
        lock.lock();
        try {
            if (on != state.current()) {
                return null;
            }
            for (long n = state.window().firstSequence(); n <= state.window().lastSequence(); n++) {
                AmqpMessage message = state.window().at(n);
                if (message != null && isOf(back, message) && on.markReturned(message)) {
                    if (on.wasNacked(message)) {
                        var unused = settleIfDropped(on, n, message);
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

    @Override
    public void blocked(ConfirmingChannel on) {
        state.blocked();
    }

    @Override
    public void unblocked(ConfirmingChannel on) {
        state.unblocked();
        reconnector.writeOn();
    }

    @Override
    public void closed(ConfirmingChannel on, ShutdownSignalException cause) {
        lost(on, cause);
    }

    @Override
    public void failed(ConfirmingChannel on, Exception cause) {
        lost(on, cause);
    }

    @Override
    public void unencodable(ConfirmingChannel on, AmqpMessage message, RuntimeException cause) {
        if (state.abandon(on, "a message cannot be encoded")) {
            refusals.unencodable(message, cause);
            reconnector.replace(on, "a message cannot be encoded");
        }
    }

    /** Called by the connection's thread and by writing threads: the first call decides. */
    private void lost(ConfirmingChannel on, Exception cause) {
        String why = Reason.of(cause);
        if (state.abandon(on, why)) {
            judge(cause, why);
            reconnector.replace(on, why);
        }
    }

    /** A failure that a repetition would not cure fails the sink at once, or is the fault of one message; any other loss is repaired. */
    private void judge(Exception cause, String why) {
        int code = Reason.channelCloseCode(cause);
        if (code == AMQP.NOT_FOUND && !(unroutable instanceof Unroutable.Retry)) {
            state.fail(new IOException("The broker closed the channel (" + why
                    + "): create the exchange, or declare it with setTopology"));
        } else if (code == AMQP.ACCESS_REFUSED) {
            state.fail(new IOException("The broker closed the channel (" + why
                    + "): the user needs permission to write to the exchange, and an internal exchange takes messages from"
                    + " no client. Nothing is lost"));
        } else if (code == AMQP.PRECONDITION_FAILED) {
            refusals.closedAtAMessage(why);
        }
    }
}
