package dev.weir.pilot.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.protocol.BrokerAddress;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with a channel for jobs, one for reports and one for notices. They end together: an error on any ends
 * all, and the {@link BrokerLink} opens the next session. Nothing recovers by itself, so every user sees the loss and knows what
 * was confirmed before it.
 */
final class Session {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private static final int HEARTBEAT_SECONDS = 15;
    private static final int CONNECT_MILLIS = 10_000;
    private static final int RPC_MILLIS = 30_000;
    private static final int CLOSE_MILLIS = 5_000;
    private static final int NOT_FOUND = 404;
    private static final int ACCESS_REFUSED = 403;

    private static final String REFUSED =
            "; if the pilot's account lacks this right, run flink-conf/rabbitmq-accounts with the"
                    + " pool in PILOT_POOLS (docs/SECURITY.md)";

    private final Connection connection;
    private final Channel jobs;
    private final Channel reports;
    private final Channel notices;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile String ending = "it was cut";
    private volatile boolean blocked;

    private Session(Connection connection) throws IOException {
        this.connection = connection;
        this.jobs = connection.createChannel();
        this.reports = connection.createChannel();
        this.notices = connection.createChannel();
        connection.addShutdownListener(cause -> ended.countDown());
        connection.addBlockedListener(
                reason -> {
                    blocked = true;
                    LOG.warn("The broker takes nothing for now: {}; no job is asked for until it does", reason);
                },
                () -> blocked = false);
        for (Channel channel : new Channel[] {jobs, reports, notices}) {
            channel.addShutdownListener(this::channelEnded);
        }
        jobs.basicQos(1);
        reports.confirmSelect();
    }

    /** A factory for a URL. TLS checks the server's certificate and name; the client library alone would trust any server. */
    static ConnectionFactory factory(String url) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            URI address = BrokerAddress.parse(url);
            if ("amqps".equalsIgnoreCase(address.getScheme())) {
                factory.useSslProtocol(SSLContext.getDefault());
                factory.enableHostnameVerification();
            }
            factory.setUri(address);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // Neither the address nor a cause that quotes it: it may hold a password.
            throw BrokerAddress.malformed();
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setConnectionTimeout(CONNECT_MILLIS);
        factory.setHandshakeTimeout(CONNECT_MILLIS);
        factory.setChannelRpcTimeout(RPC_MILLIS);
        factory.setThreadFactory(work -> {
            Thread thread = new Thread(work, "pilot-amqp");
            thread.setDaemon(true);
            return thread;
        });
        return factory;
    }

    static Session open(ConnectionFactory factory, BrokerSettings settings, String name)
            throws IOException, TimeoutException {
        Connection connection = factory.newConnection(name);
        try {
            new Topology(connection, settings).check();
            return new Session(connection);
        } catch (IOException | RuntimeException e) {
            connection.abort(CLOSE_MILLIS);
            throw e;
        }
    }

    Channel jobs() {
        return jobs;
    }

    Channel reports() {
        return reports;
    }

    Channel notices() {
        return notices;
    }

    boolean isOpen() {
        return ended.getCount() > 0 && connection.isOpen();
    }

    /** Whether the broker has an alarm and reads nothing from this connection: a request on it would wait for the end of that. */
    boolean isBlocked() {
        return blocked;
    }

    /** AMQP leaves open whether an expiration is a time or a duration, and the embedded broker takes it for a time long past. */
    boolean isRabbit() {
        return "RabbitMQ".equals(String.valueOf(connection.getServerProperties().get("product")));
    }

    /** Waits for its end, at most this long; false when it is still open. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Closes it because something on it failed. */
    void fail(Exception cause) {
        if (isOpen()) {
            ending = reason(cause);
            LOG.warn("Closed the connection after an error: {}", ending);
        }
        end();
    }

    /** Why it ended. */
    String ending() {
        return ending;
    }

    void end() {
        ended.countDown();
        connection.abort(CLOSE_MILLIS);
    }

    private void channelEnded(ShutdownSignalException cause) {
        if (!cause.isInitiatedByApplication() && !cause.isHardError()) {
            ending = reason(cause);
            LOG.warn("The broker closed a channel: {}", ending);
            // Not here: this is the connection's own thread, which must not wait for itself.
            ended.countDown();
            Thread closing = new Thread(() -> connection.abort(CLOSE_MILLIS), "pilot-amqp-close");
            closing.setDaemon(true);
            closing.start();
        }
    }

    /** Whether the broker said that the thing asked for does not exist. */
    static boolean isNotFound(IOException e) {
        return e.getCause() instanceof ShutdownSignalException signal && said(signal, NOT_FOUND);
    }

    /** What the broker said, which the client wraps in exceptions without a message, and what helps. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getMessage() == null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String said = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return cause instanceof ShutdownSignalException signal && said(signal, ACCESS_REFUSED) ? said + REFUSED : said;
    }

    private static boolean said(ShutdownSignalException signal, int code) {
        return signal.getReason() instanceof AMQP.Channel.Close close && close.getReplyCode() == code;
    }
}
