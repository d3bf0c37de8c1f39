package dev.weir.connectors.rabbitmq.common;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import javax.annotation.Nullable;
import javax.net.ssl.SSLContext;
import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;

/**
 * Which broker, as which user, and with which TLS settings: what is needed to open a connection. The client's own recovery is always off,
 * because source and sink reconnect themselves and have to know when they did.
 *
 * @param config address and tuning, as users of Flink's old connector know it
 * @param credentials where user and password come from; null for those in {@code config}
 * @param tls how to check the broker; null for plain TCP, or the runtime's authorities if the URI says {@code amqps}
 * @param answerMillis how long any answer of the broker may take
 */
@Internal
public record Broker(
        RMQConnectionConfig config,
        @Nullable Credentials credentials,
        @Nullable Tls tls,
        int answerMillis) implements Serializable {

    /** Heartbeat asked for unless the config or its URI has one: a dead peer is noticed within twice this. */
    static final int HEARTBEAT_SECONDS = 20;

    /** How long connecting may take unless the config or its URI says otherwise. */
    static final int CONNECT_MILLIS = 10_000;

    /** How long any answer of the broker may take unless it is said. */
    static final int ANSWER_MILLIS = 30_000;

    /** RabbitMQ's own upper limit: what a broker accepted must be readable, or it would come again without end. */
    static final int MAX_BODY_BYTES = 512 << 20;

    private static final String FORM = "amqp[s]://[user:password@]host[:port][/vhost], percent-encoded";

    public Broker {
        Objects.requireNonNull(config, "a connection is needed: setConnection(RMQConnectionConfig)");
    }

    public Broker(RMQConnectionConfig config, @Nullable Credentials credentials, @Nullable Tls tls) {
        this(config, credentials, tls, ANSWER_MILLIS);
    }

    /**
     * Opens a connection.
     *
     * @param name shown in the broker's management
     * @param sockets sees the socket before it is used, so that a write that hangs can be cut off
     * @throws RefusedException if the broker does not want us
     * @throws IOException saying host, port and virtual host; never a user name or password
     */
    public Connection open(String name, SocketConfigurator sockets) throws IOException {
        ConnectionFactory factory = factory();
        factory.setThreadFactory(task -> {
            Thread thread = new Thread(task, name + "-connection");
            thread.setDaemon(true);
            return thread;
        });
        factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(sockets));
        try {
            return factory.newConnection(name);
        } catch (TimeoutException | IOException e) {
            String what = "Cannot connect to the broker at " + describe(factory) + ": " + Reason.of(e);
            throw Reason.isRefusal(e) ? new RefusedException(what) : new IOException(what, Reason.withoutNames(e));
        }
    }

    /** Where the broker is, without credentials; looks none up. */
    public String describe() {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            var unused = address(factory);
            return describe(factory);
        } catch (IOException e) {
            return "an unusable address";
        }
    }

    private static String describe(ConnectionFactory factory) {
        return factory.getHost() + ":" + factory.getPort() + " (virtual host " + factory.getVirtualHost() + ")";
    }

    ConnectionFactory factory() throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        // Before the address, as a URI may have its own: ?heartbeat=…&connection_timeout=…
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setConnectionTimeout(CONNECT_MILLIS);
        boolean secure = address(factory);
        if (credentials != null) {
            Credentials.Resolved resolved = credentials.resolve();
            factory.setUsername(resolved.user());
            factory.setPassword(resolved.password());
        }
        if (secure) {
            SSLContext context = (tls == null ? Tls.trustingTheRuntime() : tls).context();
            factory.useSslProtocol(context);
            factory.enableHostnameVerification();
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setMaxInboundMessageBodySize(MAX_BODY_BYTES);
        factory.setChannelRpcTimeout(answerMillis);
        factory.setRequestedHeartbeat(or(config.getRequestedHeartbeat(), factory.getRequestedHeartbeat()));
        factory.setConnectionTimeout(or(config.getConnectionTimeout(), factory.getConnectionTimeout()));
        factory.setRequestedChannelMax(or(config.getRequestedChannelMax(), factory.getRequestedChannelMax()));
        factory.setRequestedFrameMax(or(config.getRequestedFrameMax(), factory.getRequestedFrameMax()));
        return factory;
    }

    /** Puts the address into the factory; true if TLS is asked for. */
    private boolean address(ConnectionFactory factory) throws IOException {
        String uri = config.getUri();
        if (uri == null || uri.isEmpty()) {
            factory.setHost(config.getHost());
            factory.setPort(config.getPort());
            factory.setVirtualHost(config.getVirtualHost());
            factory.setUsername(config.getUsername());
            factory.setPassword(config.getPassword());
            return tls != null;
        }
        boolean inUri = uri.toLowerCase(Locale.ROOT).startsWith("amqps:");
        try {
            // Given an amqps URI the factory would trust every certificate: it gets a plain one, TLS is set up by us.
            factory.setUri(inUri ? "amqp" + uri.substring("amqps".length()) : uri);
            if (new URI(uri).getHost() == null) {
                // The client would take its default then, and connect to this machine.
                throw new RefusedException(
                        "The AMQP URI of the connection names no host that a URI can have; expected " + FORM
                                + ". A host with '_' in its name is given with setHost, setPort and setVirtualHost instead");
            }
            if (hasCutPassword(new URI(uri))) {
                throw new RefusedException(
                        "The AMQP URI of the connection has a '/', '?' or '#' in what may be its password, or an '@' behind its host; expected "
                                + FORM + " ('/' as %2F, '@' as %40)");
            }
            if ((inUri || tls != null) && new URI(uri).getPort() < 0) {
                factory.setPort(ConnectionFactory.DEFAULT_AMQP_OVER_SSL_PORT);
            }
        } catch (URISyntaxException | NoSuchAlgorithmException | KeyManagementException | IllegalArgumentException e) {
            // Not as the cause: its message quotes the URI, and with it the password.
            throw new RefusedException("The AMQP URI of the connection is malformed ("
                    + e.getClass().getSimpleName() + "); expected " + FORM);
        }
        return inUri || tls != null;
    }

    /** Whether what should stand before the host stands behind what is taken for it, and would be shown as port or virtual host. */
    private static boolean hasCutPassword(URI uri) {
        boolean atBehindTheHost = uri.getRawUserInfo() == null && uri.toString().indexOf('@') >= 0;
        return atBehindTheHost || uri.getRawFragment() != null;
    }

    private static int or(@Nullable Integer given, int otherwise) {
        return given == null ? otherwise : given;
    }

    /** Host and port only: the config holds a password. */
    @Override
    public String toString() {
        return "Broker[" + describe() + "]";
    }
}
