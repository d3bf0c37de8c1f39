package dev.weir.pilot.broker;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Notice;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link Session} open: connects, listens for notices, and reconnects after a loss, with pauses that double, until it is
 * closed or has been without a connection for too long. Safe for use from many threads.
 */
final class BrokerLink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerLink.class);
    private static final long END_POLL_MILLIS = 1000;
    private static final long JOIN_MILLIS = 10_000;

    /** A session that ends earlier counts as a failed try: the broker may refuse its first request each time. */
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final BrokerSettings settings;
    private final String pilotId;
    private final Consumer<Notice> notices;
    private final ConnectionFactory factory;
    private final Thread thread;

    private Session session;
    private boolean wasConnected;
    private boolean closed;
    private String gaveUp;

    /**
     * Does not connect yet.
     *
     * @param notices receives every valid notice, in a thread of the connection; must not block
     * @throws IllegalArgumentException when the URL is none
     */
    BrokerLink(BrokerSettings settings, String pilotId, Consumer<Notice> notices) {
        this.settings = settings;
        this.pilotId = pilotId;
        this.notices = notices;
        this.factory = Session.factory(settings.url());
        this.thread = new Thread(this::keepOpen, "pilot-link");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** The open session, as soon as there is one; null when there is none in time, or never will be. */
    synchronized Session await(Duration timeout) throws InterruptedException {
        long until = System.nanoTime() + timeout.toNanos();
        while (!closed && gaveUp == null && (session == null || !session.isOpen())) {
            long left = Duration.ofNanos(until - System.nanoTime()).toMillis();
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
        return closed || gaveUp != null ? null : session;
    }

    /** Whether reports can leave right now. */
    synchronized boolean isConnected() {
        return session != null && session.isOpen();
    }

    /** Why it will not connect any more; null while it tries. */
    synchronized String gaveUp() {
        return gaveUp;
    }

    @Override
    public void close() {
        Session last;
        synchronized (this) {
            closed = true;
            last = session;
            notifyAll();
        }
        thread.interrupt();
        if (last != null) {
            last.end();
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepOpen() {
        try {
            long lastConnected = System.nanoTime();
            Duration pause = settings.retryLeast();
            String lastReason = "";
            while (!isClosed()) {
                long begun = System.nanoTime();
                String reason = connect();
                if (reason == null) {
                    reason = untilEnd();
                    if (System.nanoTime() - begun > STEADY_NANOS) {
                        lastConnected = System.nanoTime();
                        pause = settings.retryLeast();
                    }
                    lastReason = "";
                } else if (!reason.equals(lastReason)) {
                    LOG.warn("Not connected to {}: {}; trying again", settings.shownUrl(), reason);
                    lastReason = reason;
                }
                if (System.nanoTime() - lastConnected > settings.reconnectFor().toNanos()) {
                    giveUp("no connection to " + settings.shownUrl() + " for " + settings.reconnectFor() + ": "
                            + reason);
                    return;
                }
                if (gaveUp() != null) {
                    return;
                }
                Thread.sleep(pause.toMillis());
                pause = min(pause.multipliedBy(2), settings.retryMost());
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    /** Null when connected, else why not. */
    private String connect() {
        Session opened = null;
        try {
            opened = Session.open(factory, settings, "weir pilot " + pilotId);
            listen(opened);
        } catch (PossibleAuthenticationFailureException e) {
            if (!wasConnected) {
                giveUp(settings.shownUrl() + " refuses the user or password: " + e.getMessage());
            }
            return "refused: " + e.getMessage();
        } catch (IOException | TimeoutException | RuntimeException | Error e) {
            // An error is that of a system without room for one more thread, which passes.
            if (opened != null) {
                opened.end();
            }
            return Session.reason(e);
        }
        synchronized (this) {
            if (closed) {
                opened.end();
                return "closed";
            }
            session = opened;
            wasConnected = true;
            notifyAll();
        }
        LOG.info("Pilot {} is connected to {}", pilotId, settings.shownUrl());
        return null;
    }

    /** Why it ended. */
    private String untilEnd() throws InterruptedException {
        Session current;
        synchronized (this) {
            current = session;
        }
        while (!current.awaitEnd(END_POLL_MILLIS)) {
            if (!current.isOpen()) {
                return current.ending();
            }
        }
        if (!isClosed()) {
            LOG.warn("The connection to {} was lost", settings.shownUrl());
        }
        return current.ending();
    }

    private void listen(Session opened) throws IOException {
        // Named by the broker, gone with the connection: a notice that is not received is sent again at our next
        // report.
        String queue =
                opened.notices().queueDeclare("", false, true, true, Map.of()).getQueue();
        opened.notices().queueBind(queue, settings.noticesExchange(), pilotId);
        opened.notices().queueBind(queue, settings.noticesExchange(), Names.NOTICE_ALL);
        opened.notices()
                .basicConsume(
                        queue,
                        true,
                        (tag, delivery) -> hear(delivery.getBody()),
                        tag -> opened.fail(new IOException("the broker removed the queue of notices")));
    }

    private void hear(byte[] body) {
        try {
            notices.accept(Json.read(body, Notice.class));
        } catch (InvalidMessage e) {
            LOG.warn("A notice cannot be read and is dropped: {}", e.getMessage());
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void giveUp(String reason) {
        gaveUp = reason;
        notifyAll();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
