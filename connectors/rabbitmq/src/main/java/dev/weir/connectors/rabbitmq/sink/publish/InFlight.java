package dev.weir.connectors.rabbitmq.sink.publish;

import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * The unconfirmed messages in their order, as a ring that is addressed by the channel's publish sequence number. Confirms
 * may come out of order; a slot is emptied by its confirm, and the head moves past empty slots, so every operation is O(1)
 * amortised. Not thread-safe: the publisher guards it.
 */
final class InFlight {

    /** How many times as many messages as may be unconfirmed may be added after the oldest of them. */
    private static final long MAX_SPAN = 16;

    private Entry[] ring = new Entry[256];
    private long head;
    private long tail;
    /** Position of the message with sequence number 1 on the current channel. */
    private long base;

    private int size;
    private long bytes;

    /** A message, and since when it is here, by {@link System#nanoTime}. */
    private record Entry(AmqpMessage message, long sinceNanos) {}

    int size() {
        return size;
    }

    long bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /**
     * Whether a message may be added; one always may be alone. A message that is never confirmed ends that as well, though later ones
     * are: nothing more is settled then, so that the channel is replaced, and in the end the task fails.
     */
    boolean hasRoom(int maxMessages, long maxBytes) {
        return isEmpty() || (size < maxMessages && bytes < maxBytes && tail - head < MAX_SPAN * maxMessages);
    }

    /** Appends a message; it has the next sequence number of the channel. */
    void add(AmqpMessage message) {
        if (tail - head == ring.length) {
            grow();
        }
        ring[slot(tail++)] = new Entry(message, System.nanoTime());
        size++;
        bytes += message.weight();
    }

    /** The message with that sequence number on the current channel; null if it is confirmed or unknown. */
    @Nullable AmqpMessage at(long sequence) {
        Entry entry = entry(base + sequence - 1);
        return entry == null ? null : entry.message();
    }

    @Nullable private Entry entry(long position) {
        return position < head || position >= tail ? null : ring[slot(position)];
    }

    /** For how long the oldest message has been here, over all channels; 0 if there is none. */
    long oldestAgeNanos() {
        Entry oldest = entry(head);
        return oldest == null ? 0 : System.nanoTime() - oldest.sinceNanos();
    }

    /** Sequence number of the oldest message on the current channel. */
    long firstSequence() {
        return head - base + 1;
    }

    /** Sequence number of the newest message on the current channel. */
    long lastSequence() {
        return tail - base;
    }

    /** Takes out one message; false if it is not there. */
    boolean remove(long sequence) {
        AmqpMessage message = at(sequence);
        if (message == null) {
            return false;
        }
        ring[slot(base + sequence - 1)] = null;
        size--;
        bytes -= message.weight();
        while (head < tail && ring[slot(head)] == null) {
            head++;
        }
        return true;
    }

    /** Puts another message in a place that is not empty. */
    void replace(long sequence, AmqpMessage with) {
        Entry before = entry(base + sequence - 1);
        if (before == null) {
            throw new IllegalStateException("there is no message with sequence number " + sequence);
        }
        ring[slot(base + sequence - 1)] = new Entry(with, before.sinceNanos());
        bytes += with.weight() - before.message().weight();
    }

    /** All of them, oldest first. */
    List<AmqpMessage> messages() {
        return entries().stream().map(Entry::message).toList();
    }

    private List<Entry> entries() {
        List<Entry> all = new ArrayList<>(size);
        for (long position = head; position < tail; position++) {
            Entry entry = ring[slot(position)];
            if (entry != null) {
                all.add(entry);
            }
        }
        return all;
    }

    /** Closes the gaps and numbers what is left from 1, for a new channel that will publish all of it again. */
    void renumber() {
        List<Entry> all = entries();
        long from = tail;
        while (ring.length < all.size()) {
            ring = new Entry[ring.length * 2];
        }
        java.util.Arrays.fill(ring, null);
        head = from;
        tail = from;
        base = from;
        for (Entry entry : all) {
            ring[slot(tail++)] = entry;
        }
    }

    private int slot(long position) {
        return (int) (position & (ring.length - 1));
    }

    private void grow() {
        Entry[] larger = new Entry[ring.length * 2];
        for (long position = head; position < tail; position++) {
            larger[(int) (position & (larger.length - 1))] = ring[slot(position)];
        }
        ring = larger;
    }
}
