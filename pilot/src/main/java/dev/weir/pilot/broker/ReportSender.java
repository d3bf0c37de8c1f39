package dev.weir.pilot.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Outbox.Entry;
import dev.weir.protocol.Heartbeat;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes reports, with confirms, in a thread of its own. What no queue takes, or is refused, is sent again. */
final class ReportSender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReportSender.class);

    private static final Duration STEP = Duration.ofMillis(200);
    private static final long JOIN_MILLIS = 5000;
    private static final int PERSISTENT = 2;

    private final Outbox outbox;
    private final BrokerLink link;
    private final BrokerSettings settings;
    private final Thread thread;

    /** Guarded by this, as is what follows. */
    private final TreeMap<Long, Entry> entryOfTag = new TreeMap<>();

    /** Ids of messages that no queue took; the confirm follows. */
    private final Set<String> returned = new HashSet<>();

    private boolean unboundTold;

    private volatile boolean closed;

    /** Set by the sending thread alone; answers from an earlier one are about other tags. */
    private volatile Session session;

    ReportSender(Outbox outbox, BrokerLink link, BrokerSettings settings) {
        this.outbox = outbox;
        this.link = link;
        this.settings = settings;
        this.thread = new Thread(this::sendAll, "pilot-outbox");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll() {
        try {
            while (!closed) {
                Session current = link.await(STEP);
                if (current == null) {
                    continue;
                }
                if (current != session) {
                    attach(current);
                }
                for (Entry entry : outbox.next(1, Integer.MAX_VALUE, STEP)) {
                    send(entry);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void attach(Session current) {
        synchronized (this) {
            session = current;
            entryOfTag.clear();
            returned.clear();
        }
        outbox.lost();
        Channel channel = current.reports();
        channel.addReturnListener(
                message -> markReturned(current, message.getProperties().getMessageId()));
        channel.addConfirmListener(
                (tag, multiple) -> answered(current, tag, multiple, true),
                (tag, multiple) -> answered(current, tag, multiple, false));
    }

    private void send(Entry entry) {
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .messageId(entry.messageId())
                .timestamp(new Date());
        if (entry.mayExpire() && session.isRabbit()) {
            properties.expiration(Long.toString(Heartbeat.LIFE_MILLIS));
        }
        Channel channel = session.reports();
        try {
            synchronized (this) {
                entryOfTag.put(channel.getNextPublishSeqNo(), entry);
            }
            channel.basicPublish(settings.exchange(), settings.reportsKey(), true, properties.build(), entry.body());
        } catch (IOException | ShutdownSignalException e) {
            session.fail(e);
        }
    }

    private synchronized void markReturned(Session from, String messageId) {
        if (from == session) {
            returned.add(messageId);
        }
    }

    private void answered(Session from, long tag, boolean multiple, boolean accepted) {
        List<Entry> confirmed = new ArrayList<>();
        List<Entry> again = new ArrayList<>();
        synchronized (this) {
            if (from != session) {
                return; // its tags mean other reports by now
            }
            Map<Long, Entry> tags = multiple ? entryOfTag.headMap(tag, true) : entryOfTag.subMap(tag, true, tag, true);
            for (Entry entry : tags.values()) {
                boolean isUnbound = returned.remove(entry.messageId());
                if (isUnbound) {
                    tellUnbound();
                }
                (accepted && !isUnbound ? confirmed : again).add(entry);
            }
            tags.clear();
        }
        outbox.again(again);
        outbox.confirmed(confirmed);
    }

    private void tellUnbound() {
        if (!unboundTold) {
            unboundTold = true;
            LOG.warn(
                    "No queue is bound to exchange {} with key {} for reports; start Weir, which binds it. Reports are kept",
                    settings.exchange(),
                    settings.reportsKey());
        }
    }
}
