package dev.weir.gateway.broker;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.protocol.BrokerAddress;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Json;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.Report;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The link to the broker, made again each second while it is down. Safe for use from many threads. */
public final class Link implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final int CONNECTION_TIMEOUT_MILLIS = 10_000;
    private static final int RPC_TIMEOUT_MILLIS = 10_000;
    private static final int HEARTBEAT_SECONDS = 20;
    private static final String NOT_YET = "the broker is not connected yet";

    private final BrokerNames names;
    private final ConnectionFactory factory;
    private final Outcomes outcomes;
    private final LowQueues low;
    private final Notices notices;
    private final ScheduledExecutorService keeper = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "gateway-broker");
        thread.setDaemon(true);
        return thread;
    });

    /** The one that was opened last. Only the keeper's thread uses it. */
    private Socket socket;

    private volatile Session session;
    private volatile String trouble = NOT_YET;

    /** Throws {@link IllegalArgumentException} for an address that is none; a broker that is away is no error. */
    public Link(GatewayOptions options, Outcomes outcomes, LowQueues low, Notices notices) {
        this(factory(options.amqpUri()), options.names(), outcomes, low, notices);
    }

    Link(ConnectionFactory factory, BrokerNames names, Outcomes outcomes, LowQueues low, Notices notices) {
        this.factory = factory;
        this.names = names;
        this.outcomes = outcomes;
        this.low = low;
        this.notices = notices;
        factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(opened -> socket = opened));
        var unused = keeper.scheduleWithFixedDelay(this::keep, 0, 1, TimeUnit.SECONDS);
    }

    private static ConnectionFactory factory(String uri) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(BrokerAddress.parse(uri));
            if (factory.isSSL()) {
                factory.useSslProtocol(javax.net.ssl.SSLContext.getDefault());
                factory.enableHostnameVerification();
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setChannelRpcTimeout(RPC_TIMEOUT_MILLIS);
        return factory;
    }

    private void keep() {
        Session present = session;
        try {
            if (present != null && present.isOpen()) {
                present.notices().tidy();
                return;
            }
            if (present != null) {
                present.close();
                session = null;
            }
            session = session();
            LOG.info("Connected to the broker at {}:{}", factory.getHost(), factory.getPort());
            trouble = null;
        } catch (IOException | TimeoutException | RuntimeException | Error e) {
            // Also after an error, as when no thread can be started: there is no other retry.
            String reason = reason(e);
            if (!reason.equals(trouble)) {
                LOG.warn("The broker at {}:{} cannot be used: {}", factory.getHost(), factory.getPort(), reason);
            }
            trouble = reason;
        }
    }

    private Session session() throws IOException, TimeoutException {
        Connection publishing = factory.newConnection("weir gateway, sends");
        Socket written = socket;
        Connection hearing = null;
        try {
            hearing = factory.newConnection("weir gateway, hears");
            return new Session(publishing, () -> cut(written), hearing, names, outcomes, low, notices);
        } catch (IOException | TimeoutException | RuntimeException | Error e) {
            publishing.abort();
            if (hearing != null) {
                hearing.abort();
            }
            throw e;
        }
    }

    /** Ends a write that hangs, and the connection with it: another one takes its place. */
    private static void cut(Socket written) {
        LOG.warn("The broker does not read what is sent to it; the connection is cut");
        try {
            // To send its closing message, a TLS socket would first wait for the thread that hangs in a write.
            written.setSoLinger(true, 0);
            written.close();
        } catch (IOException e) {
            LOG.debug("It is gone either way", e);
        }
    }

    /** The sentence of the innermost cause: the outer ones have none. */
    static String reason(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Why nothing can be sent now; empty when it can. */
    public Optional<String> trouble() {
        return away().or(() -> alarm().map(reason -> "the broker takes no messages: " + reason));
    }

    /** Why there is no connection; empty when there is one. */
    public Optional<String> away() {
        Session present = session;
        return present != null && present.isOpen()
                ? Optional.empty()
                : Optional.of(trouble == null ? "the connection to the broker was lost" : trouble);
    }

    /** Why the broker takes no messages although it is connected, as when its memory or disk is full; empty when it takes them. */
    public Optional<String> alarm() {
        Session present = session;
        return present != null && present.isOpen() ? Optional.ofNullable(present.blocked()) : Optional.empty();
    }

    /**
     * Sends a task or a command to Weir. Completes when the broker has it; fails with {@link BrokerAway} otherwise, within ten
     * seconds.
     */
    public CompletableFuture<Void> send(Outcome.About about, String id, byte[] body) {
        return sent(present -> present.send(about, id, body));
    }

    /** Sends a pilot's report to Weir. Completes and fails as {@link #send}. */
    public CompletableFuture<Void> report(String id, Report report) {
        byte[] body = Json.write(report);
        return report instanceof Heartbeat heartbeat && heartbeat.mayExpire()
                ? sent(present -> present.heartbeat(id, body))
                : report(id, body);
    }

    private CompletableFuture<Void> report(String id, byte[] body) {
        return sent(present -> present.report(id, body));
    }

    /** The queue of rejected messages, also while the broker takes no messages. Throws {@link BrokerAway} when there is no broker. */
    public RejectedQueue rejected() {
        return present("nothing can be read", away()).rejected();
    }

    /** Messages in the queue of rejected ones; empty when that is not known. Waits for the broker. */
    public OptionalLong rejectedMessages() {
        Session present = session;
        return present == null || !present.isOpen() ? OptionalLong.empty() : present.rejectedMessages();
    }

    /** Sends a message to the queue in which it was; completes and fails as {@link #send}. Throws {@link NotOurs} for other queues. */
    public CompletableFuture<Void> sendAgain(String queue, String id, byte[] body) {
        BrokerNames.Queues queues = names.queues();
        if (queue.equals(queues.tasks())) {
            return send(Outcome.About.TASK, id, body);
        } else if (queue.equals(queues.commands())) {
            return send(Outcome.About.COMMAND, id, body);
        } else if (queue.equals(queues.reports())) {
            return report(id, body);
        }
        throw new NotOurs("the message came on queue " + queue + ", to which the gateway does not send; it sends to "
                + queues.tasks() + ", " + queues.commands() + " and " + queues.reports());
    }

    private CompletableFuture<Void> sent(Function<Session, CompletableFuture<Void>> way) {
        try {
            return way.apply(present("nothing was sent"))
                    .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                            failure instanceof TimeoutException ? Publisher.unsure(failure) : failure));
        } catch (BrokerAway e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Throws {@link BrokerAway} when nothing can be sent now; does not wait. */
    public void require() {
        present("nothing was done");
    }

    private Session present(String consequence) {
        return present(consequence, trouble());
    }

    private Session present(String consequence, Optional<String> why) {
        Session present = session;
        if (present == null || why.isPresent()) {
            String subject = away().isPresent() ? "the broker is away, " : "";
            throw new BrokerAway(subject + consequence + ": " + why.orElse(NOT_YET), null);
        }
        return present;
    }

    /** A channel for a job. Throws {@link BrokerAway} when there is none; waits for the broker. */
    public JobChannel jobChannel() {
        return present("there are no jobs").jobChannel();
    }

    /** A way to Weir's queues. Throws {@link NoQueues}, or {@link BrokerAway} when there is none; waits for the broker. */
    public QueueChannel queueChannel(QueueChannel.Listener listener) {
        return present("nothing was sent").queueChannel(listener);
    }

    /** Keeps notices for the pilot from now on. Throws {@link BrokerAway} when it cannot; waits for the broker. */
    public void hear(String pilot) {
        notices.expect(pilot);
        present("there are no notices").notices().hear(pilot);
    }

    @Override
    public void close() {
        keeper.shutdownNow();
        Session present = session;
        if (present != null) {
            present.close();
        }
    }
}
