package dev.weir.pilot.uplink;

import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Reports that are to reach Weir. A report about a job is kept, on disk, until the broker has it: it is sent again after a lost connection or a
 * refusal, in the order the reports were made; so Weir may see one twice, but never misses one. A heartbeat is sent once or not at all: the next one says
 * the same. Safe for use from many threads; a caller that offers a report never waits.
 */
public final class Outbox {

    private static final long RETRY_MILLIS = 1000;

    /** A report with its fate, which the outbox guards. */
    public static final class Entry {

        private final long number;
        private final String messageId = UUID.randomUUID().toString();
        private final byte[] body;
        private final Path file;
        private final boolean kept;
        private final boolean mayExpire;
        private final Runnable confirmed;
        private boolean sent;
        private boolean held;
        private long notBeforeNanos = System.nanoTime();

        private Entry(long number, byte[] body, Path file, boolean kept, boolean mayExpire, Runnable confirmed) {
            this.number = number;
            this.body = body;
            this.file = file;
            this.kept = kept;
            this.mayExpire = mayExpire;
            this.confirmed = confirmed;
        }

        /** The same each time that it is sent. */
        public String messageId() {
            return messageId;
        }

        public byte[] body() {
            return body;
        }

        /** Whether the broker may drop it after {@link Heartbeat#LIFE_MILLIS}. */
        public boolean mayExpire() {
            return mayExpire;
        }
    }

    private final OutboxFiles files;

    /** All that is not confirmed, oldest first. Guarded by this, as is the next number. */
    private final TreeMap<Long, Entry> entries = new TreeMap<>();

    private long nextNumber;

    /** Loads the unconfirmed reports of an earlier process in this directory. */
    public Outbox(Path directory) throws IOException {
        this.files = new OutboxFiles(directory);
        for (Path file : files.left()) {
            add(Files.readAllBytes(file), file, true, false, () -> {});
        }
    }

    /**
     * Takes a report that must arrive.
     *
     * @param confirmed called once, in a thread of the uplink, when the broker has it
     * @return whether it is on disk; if not, it would be lost with this process
     */
    public boolean keep(Report report, Runnable confirmed) {
        byte[] body = Json.write(report);
        Path file = files.keep(body);
        add(body, file, true, false, confirmed);
        return file != null;
    }

    /** Takes a report that replaces the one before: an earlier one that was not sent is dropped. */
    public synchronized void offer(Heartbeat heartbeat) {
        entries.values().removeIf(entry -> !entry.kept && !entry.sent);
        add(Json.write(heartbeat), null, false, heartbeat.mayExpire(), () -> {});
    }

    private synchronized void add(byte[] body, Path file, boolean kept, boolean mayExpire, Runnable confirmed) {
        Entry entry = new Entry(nextNumber++, body, file, kept, mayExpire, confirmed);
        entries.put(entry.number, entry);
        notifyAll();
    }

    /** How many reports about jobs are not confirmed. */
    public synchronized long unconfirmed() {
        return entries.values().stream().filter(entry -> entry.kept).count();
    }

    /**
     * Waits until all are confirmed but those that are held back; false when some are not in time.
     *
     * @param connected whether heartbeats can leave, which are waited for only then
     */
    public synchronized boolean awaitConfirmed(Duration timeout, BooleanSupplier connected)
            throws InterruptedException {
        long until = System.nanoTime() + timeout.toNanos();
        while (expected() > 0 || !entries.isEmpty() && connected.getAsBoolean()) {
            long left = Duration.ofNanos(until - System.nanoTime()).toMillis();
            if (left <= 0) {
                return expected() == 0;
            }
            wait(left);
        }
        return true;
    }

    private long expected() {
        return entries.values().stream()
                .filter(entry -> entry.kept && !entry.held)
                .count();
    }

    /**
     * Reports that are due, oldest first, which count as sent from now on; none when none comes in time.
     *
     * @param most how many
     * @param mostBytes of all together; a single one may be longer
     */
    public synchronized List<Entry> next(int most, int mostBytes, Duration timeout) throws InterruptedException {
        long until = System.nanoTime() + timeout.toNanos();
        while (true) {
            long now = System.nanoTime();
            List<Entry> due = due(most, mostBytes, now);
            long left = Duration.ofNanos(until - now).toMillis();
            if (!due.isEmpty() || left <= 0) {
                due.forEach(entry -> entry.sent = true);
                return due;
            }
            wait(left);
        }
    }

    private List<Entry> due(int most, int mostBytes, long now) {
        List<Entry> due = new ArrayList<>();
        long bytes = 0;
        for (Entry entry : entries.values()) {
            if (!entry.sent && entry.notBeforeNanos - now <= 0) {
                bytes += entry.body.length;
                if (due.size() == most || !due.isEmpty() && bytes > mostBytes) {
                    return due;
                }
                due.add(entry);
            }
        }
        return due;
    }

    /** The broker has them. */
    public void confirmed(Collection<Entry> sent) {
        List<Entry> settled = new ArrayList<>();
        synchronized (this) {
            for (Entry entry : sent) {
                if (entries.remove(entry.number) != null) {
                    settled.add(entry);
                }
            }
            notifyAll();
        }
        for (Entry entry : settled) {
            if (entry.file != null) {
                files.forget(entry.file);
            }
            entry.confirmed.run();
        }
    }

    /** They did not arrive: those that must are due again after a pause. */
    public synchronized void again(Collection<Entry> sent) {
        for (Entry entry : sent) {
            if (!entry.kept) {
                entries.remove(entry.number);
            } else {
                entry.sent = false;
                entry.notBeforeNanos =
                        System.nanoTime() + Duration.ofMillis(RETRY_MILLIS).toNanos();
            }
        }
        notifyAll();
    }

    /** The receiver may not take it now, whatever becomes of the others: it is due again after this time, and no other report waits for it. */
    public synchronized void holdBack(Entry sent, Duration time) {
        again(List.of(sent));
        sent.held = true;
        sent.notBeforeNanos = System.nanoTime() + time.toNanos();
    }

    /** What was under way may or may not have arrived: it is due again, at once. */
    public synchronized void lost() {
        entries.values().removeIf(entry -> !entry.kept && entry.sent);
        for (Entry entry : entries.values()) {
            if (entry.sent) {
                entry.sent = false;
                entry.notBeforeNanos = System.nanoTime();
            }
        }
    }

    /** Weir will never take it: it is set aside, so that it does not stop others. */
    public void refused(Entry sent, String reason) {
        synchronized (this) {
            entries.remove(sent.number);
            notifyAll();
        }
        files.setAside(sent.file, sent.body, reason);
    }
}
