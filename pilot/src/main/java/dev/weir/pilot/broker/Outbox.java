package dev.weir.pilot.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets reports to the broker. A report about a job is kept, on disk, until the broker has confirmed that a queue has it: it is sent
 * again after a lost connection, a refusal, or when no queue was bound to take it, in the order the reports were made; so Weir may see one
 * twice, but never misses one. A heartbeat is sent once or not at all: the next one says the same. Safe for use from many threads;
 * a caller that offers a report never waits for the broker.
 */
public final class Outbox implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private static final Duration STEP = Duration.ofMillis(200);
    private static final long RETRY_MILLIS = 1000;
    private static final long JOIN_MILLIS = 5000;
    private static final int PERSISTENT = 2;

    private static final class Entry {
        final String messageId = UUID.randomUUID().toString();
        final byte[] body;
        final Path file;
        final boolean kept;
        final Runnable confirmed;
        boolean sent;
        boolean returned;
        long notBeforeNanos = System.nanoTime();

        Entry(byte[] body, Path file, boolean kept, Runnable confirmed) {
            this.body = body;
            this.file = file;
            this.kept = kept;
            this.confirmed = confirmed;
        }
    }

    private final BrokerLink link;
    private final BrokerSettings settings;
    private final OutboxFiles files;
    private final Thread thread;

    /** All that is not confirmed, oldest first. Guarded by this, as are the fields below. */
    private final TreeMap<Long, Entry> entries = new TreeMap<>();

    private final TreeMap<Long, Long> entryOfTag = new TreeMap<>();
    private long nextEntry;
    private boolean closed;
    private boolean unboundTold;

    /** Set by the sending thread alone; answers from an earlier one are about other tags. */
    private volatile Session session;

    /** Loads the unconfirmed reports of an earlier process in this directory. */
    public Outbox(Path directory, BrokerLink link, BrokerSettings settings) throws IOException {
        this.link = link;
        this.settings = settings;
        this.files = new OutboxFiles(directory);
        for (Path file : files.left()) {
            add(new Entry(Files.readAllBytes(file), file, true, () -> {}));
        }
        this.thread = new Thread(this::sendAll, "pilot-outbox");
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /**
     * Takes a report that must arrive.
     *
     * @param confirmed called once, in a thread of the connection, when the broker has it
     */
    public void keep(Report report, Runnable confirmed) {
        byte[] body = Json.write(report);
        add(new Entry(body, files.keep(body), true, confirmed));
    }

    /** Takes a report that replaces the one before: an earlier one that was not sent is dropped. */
    public void offer(Heartbeat heartbeat) {
        dropUnsentHeartbeats();
        add(new Entry(Json.write(heartbeat), null, false, () -> {}));
    }

    /** How many reports about jobs are not confirmed. */
    public synchronized long unconfirmed() {
        return entries.values().stream().filter(entry -> entry.kept).count();
    }

    /** Waits until all are confirmed (with heartbeats, while there is a connection); false when some are not in time. */
    public synchronized boolean awaitConfirmed(Duration timeout) throws InterruptedException {
        long until = System.nanoTime() + timeout.toNanos();
        while (unconfirmed() > 0 || !entries.isEmpty() && link.isConnected()) {
            long left = Duration.ofNanos(until - System.nanoTime()).toMillis();
            if (left <= 0) {
                return unconfirmed() == 0;
            }
            wait(left);
        }
        return true;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void dropUnsentHeartbeats() {
        entries.values().removeIf(entry -> !entry.kept && !entry.sent);
    }

    private synchronized void add(Entry entry) {
        entries.put(nextEntry++, entry);
        notifyAll();
    }

    private void sendAll() {
        try {
            while (!isClosed()) {
                Session current = link.await(STEP);
                if (current == null) {
                    continue;
                }
                if (current != session) {
                    attach(current);
                }
                Map.Entry<Long, Entry> next = next();
                if (next != null) {
                    send(next.getKey(), next.getValue());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was under way on the last session may or may not have arrived: it goes again. */
    private void attach(Session current) {
        session = current;
        synchronized (this) {
            entryOfTag.clear();
            entries.values().removeIf(entry -> !entry.kept && entry.sent);
            for (Entry entry : entries.values()) {
                entry.sent = false;
                entry.returned = false;
                entry.notBeforeNanos = System.nanoTime();
            }
        }
        Channel channel = current.reports();
        channel.addReturnListener(
                returned -> markReturned(current, returned.getProperties().getMessageId()));
        channel.addConfirmListener(
                (tag, multiple) -> answered(current, tag, multiple, true),
                (tag, multiple) -> answered(current, tag, multiple, false));
    }

    private synchronized Map.Entry<Long, Entry> next() throws InterruptedException {
        long until = System.nanoTime() + STEP.toNanos();
        while (!closed) {
            long now = System.nanoTime();
            for (Map.Entry<Long, Entry> entry : entries.entrySet()) {
                if (!entry.getValue().sent && entry.getValue().notBeforeNanos - now <= 0) {
                    return Map.entry(entry.getKey(), entry.getValue());
                }
            }
            long left = Duration.ofNanos(until - now).toMillis();
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
        return null;
    }

    private void send(long id, Entry entry) {
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .messageId(entry.messageId)
                .timestamp(new Date())
                .build();
        Channel channel = session.reports();
        try {
            synchronized (this) {
                entry.sent = true;
                entryOfTag.put(channel.getNextPublishSeqNo(), id);
            }
            channel.basicPublish(settings.exchange(), settings.reportsKey(), true, properties, entry.body);
        } catch (IOException | ShutdownSignalException e) {
            session.fail(e);
        }
    }

    private synchronized void markReturned(Session from, String messageId) {
        for (Entry entry : entries.values()) {
            if (from == session && entry.messageId.equals(messageId)) {
                entry.returned = true;
            }
        }
    }

    private void answered(Session from, long tag, boolean multiple, boolean accepted) {
        List<Entry> confirmed = new ArrayList<>();
        synchronized (this) {
            if (from != session) {
                return; // its tags mean other reports by now
            }
            Map<Long, Long> tags = multiple ? entryOfTag.headMap(tag, true) : entryOfTag.subMap(tag, true, tag, true);
            for (Iterator<Long> ids = tags.values().iterator(); ids.hasNext(); ) {
                long id = ids.next();
                ids.remove();
                Entry entry = entries.get(id);
                if (entry == null) {
                    continue;
                }
                if (accepted && !entry.returned) {
                    entries.remove(id);
                    confirmed.add(entry);
                } else {
                    again(id, entry);
                }
            }
            notifyAll();
        }
        for (Entry entry : confirmed) {
            if (entry.file != null) {
                files.forget(entry.file);
            }
            entry.confirmed.run();
        }
    }

    private void again(long id, Entry entry) {
        if (entry.returned && !unboundTold) {
            unboundTold = true;
            LOG.warn(
                    "No queue is bound to exchange {} with key {} for reports; start Weir, which binds it. Reports are kept",
                    settings.exchange(),
                    settings.reportsKey());
        }
        if (!entry.kept) {
            entries.remove(id);
            return;
        }
        entry.returned = false;
        entry.sent = false;
        entry.notBeforeNanos =
                System.nanoTime() + Duration.ofMillis(RETRY_MILLIS).toNanos();
    }

    private synchronized boolean isClosed() {
        return closed;
    }
}
