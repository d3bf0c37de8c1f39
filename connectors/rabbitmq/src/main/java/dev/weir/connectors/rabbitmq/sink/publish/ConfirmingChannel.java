package dev.weir.connectors.rabbitmq.sink.publish;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection with one channel in confirm mode. Used once: when it breaks, the publisher opens another. */
final class ConfirmingChannel {

    private static final Logger LOG = LoggerFactory.getLogger(ConfirmingChannel.class);
    private static final int CLOSE_MILLIS = 5_000;

    private final String name;
    private final Connection connection;
    private final Channel channel;
    private final Socket socket;
    private final Listener listener;
    private final long openedNanos = System.nanoTime();
    // Guarded by the publisher's lock.
    private final Set<AmqpMessage> returned = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<AmqpMessage> nacked = Collections.newSetFromMap(new IdentityHashMap<>());

    @Nullable private volatile String blocked;

    @Nullable private volatile Throwable condemned;

    private ConfirmingChannel(String name, Connection connection, Channel channel, Socket socket, Listener listener) {
        this.name = name;
        this.connection = connection;
        this.channel = channel;
        this.socket = socket;
        this.listener = listener;
    }

    /** What a channel reports, on the connection's thread unless it says otherwise. */
    interface Listener {
        /** The message with that number, or all up to it, are safe. */
        void confirmed(ConfirmingChannel on, long sequence, boolean multiple);

        /** The message with that number, or all up to it, are refused. */
        void nacked(ConfirmingChannel on, long sequence, boolean multiple);

        /** A message has no queue to go to. */
        void returned(ConfirmingChannel on, Return back);

        /** The broker takes no messages for now. */
        void blocked(ConfirmingChannel on);

        /** The broker takes messages again. */
        void unblocked(ConfirmingChannel on);

        /** The channel is closed; the cause says by which side and why. */
        void closed(ConfirmingChannel on, ShutdownSignalException cause);

        /** Writing failed; called by the thread that wrote. */
        void failed(ConfirmingChannel on, Exception cause);

        /** AMQP cannot carry a message, and the channel must not be used any more; called by the thread that wrote. */
        void unencodable(ConfirmingChannel on, AmqpMessage message, RuntimeException cause);
    }

    /** Connects, declares the topology and switches to confirms. */
    static ConfirmingChannel open(SinkOptions options, String name, Listener listener) throws IOException {
        AtomicReference<Socket> socket = new AtomicReference<>();
        Connection connection = null;
        boolean usable = false;
        try {
            connection = options.broker().open(name, socket::set);
            Channel channel = connection.createChannel();
            if (channel == null) {
                throw new IOException("The broker allows no further channel on a new connection");
            }
            if (!options.topology().isEmpty()) {
                options.topology().declareOn(channel);
            }
            channel.confirmSelect();
            ConfirmingChannel opened = new ConfirmingChannel(name, connection, channel, socket.get(), listener);
            opened.listen();
            usable = true;
            return opened;
        } finally {
            if (!usable && connection != null) {
                connection.abort(0);
            }
        }
    }

    private void listen() {
        channel.addReturnListener(back -> listener.returned(this, back));
        channel.addConfirmListener(new ConfirmListener() {
            @Override
            public void handleAck(long sequence, boolean multiple) {
                listener.confirmed(ConfirmingChannel.this, sequence, multiple);
            }

            @Override
            public void handleNack(long sequence, boolean multiple) {
                listener.nacked(ConfirmingChannel.this, sequence, multiple);
            }
        });
        connection.addBlockedListener(new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
                blocked = reason;
                LOG.warn(
                        "{}: the broker blocks publishing ({}), as in an alarm: messages wait until it ends",
                        name,
                        reason);
                listener.blocked(ConfirmingChannel.this);
            }

            @Override
            public void handleUnblocked() {
                blocked = null;
                LOG.info("{}: the broker takes messages again", name);
                listener.unblocked(ConfirmingChannel.this);
            }
        });
        channel.addShutdownListener(cause -> {
            condemn(cause);
            listener.closed(this, cause);
        });
    }

    /**
     * Publishes as mandatory: only so is a message without a queue returned, and counted even if it may be dropped. A channel
     * that breaks here informs its listener, and the message is repeated on the next one.
     */
    void publish(AmqpMessage message) {
        try {
            throwIfCondemned();
            channel.basicPublish(message.exchange(), message.routingKey(), true, message.properties(), message.body());
        } catch (IOException | AlreadyClosedException e) {
            listener.failed(this, e);
        } catch (RuntimeException e) {
            // The channel has counted the message, and the broker never will.
            listener.unencodable(this, message, e);
        } catch (Error e) {
            // The channel may have counted it all the same: every later confirm would be taken for that of another
            // message.
            listener.failed(this, new IOException("Writing a message failed: " + e, e));
            throw e;
        }
    }

    boolean isYoungerThan(Duration age) {
        return System.nanoTime() - openedNanos < age.toNanos();
    }

    boolean isBlocked() {
        return blocked != null;
    }

    String blockedReason() {
        return String.valueOf(blocked);
    }

    /** The message is settled. */
    void forget(AmqpMessage message) {
        returned.remove(message);
        nacked.remove(message);
    }

    void markNacked(AmqpMessage message) {
        nacked.add(message);
    }

    boolean wasNacked(AmqpMessage message) {
        return !nacked.isEmpty() && nacked.contains(message);
    }

    boolean markReturned(AmqpMessage message) {
        return returned.add(message);
    }

    boolean wasReturned(AmqpMessage message) {
        return !returned.isEmpty() && returned.contains(message);
    }

    private void condemn(Throwable why) {
        if (condemned == null) {
            condemned = why;
        }
    }

    void throwIfCondemned() throws IOException {
        Throwable why = condemned;
        if (why != null) {
            // With its cause: a writing thread may see this before the listener does, and must come to the same
            // conclusion.
            throw new IOException("The channel is gone: " + Reason.of(why), why);
        }
    }

    /** Closes the socket under the connection: nothing that hangs in it survives, and nothing here waits. */
    void cutOff() {
        try {
            if (socket != null) {
                // To send its closing message, a TLS socket would first wait for the thread that hangs in a write.
                socket.setSoLinger(true, 0);
                socket.close();
            }
        } catch (IOException e) {
            // It is gone either way.
            condemn(e);
        }
        connection.abort(1);
    }

    /** Closes the connection in order within 5 s, and cuts it off otherwise. */
    void closeGently() {
        try {
            if (isBlocked()) {
                cutOff();
            } else {
                connection.close(CLOSE_MILLIS);
            }
        } catch (IOException | RuntimeException e) {
            cutOff();
        }
    }

    Channel raw() {
        return channel;
    }
}
