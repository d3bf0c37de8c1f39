package dev.weir.connectors.rabbitmq.source.consume;

import com.rabbitmq.client.Connection;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Reason;
import java.io.IOException;
import java.net.Socket;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection that all channels of a reader share, made when it is needed. {@link #get} is for one thread, {@link #close} for any. */
final class SharedConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedConnection.class);
    private static final int CLOSE_MILLIS = 5_000;

    private final Broker broker;
    private final String name;
    private volatile boolean closed;

    @Nullable private volatile Connection connection;

    @Nullable private volatile Socket connecting;

    /** @param name shown in the broker's management */
    SharedConnection(Broker broker, String name) {
        this.broker = broker;
        this.name = name;
    }

    /** The open connection, or else a new one. */
    Connection get() throws IOException {
        Connection live = connection;
        if (live != null && live.isOpen()) {
            return live;
        }
        disconnect();
        live = broker.open(name, this::connectThrough);
        connection = live;
        if (closed) {
            disconnect();
            throw new IOException("the reader is closed");
        }
        return live;
    }

    private void connectThrough(Socket socket) throws IOException {
        connecting = socket;
        if (closed) {
            socket.close();
        }
    }

    private void disconnect() {
        Connection old = connection;
        connection = null;
        if (old != null) {
            old.abort(CLOSE_MILLIS);
        }
    }

    /** A broker that does not answer must not hold up the end of the task. */
    private void cutOffConnecting() {
        Socket socket = connecting;
        if (socket == null || connection != null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("{}: the socket was closed already: {}", name, Reason.of(e));
        }
    }

    /** The broker takes back what was not acknowledged. */
    @Override
    public void close() {
        closed = true;
        cutOffConnecting();
        disconnect();
    }
}
