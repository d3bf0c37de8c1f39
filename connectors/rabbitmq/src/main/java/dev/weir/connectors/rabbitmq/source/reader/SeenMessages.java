package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.SeenIds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The messages of a queue that must be recognised when they come again: those emitted and not yet acknowledged; those whose
 * acknowledgement was lost with its channel, or with the job that was restored, until they have come again; and the most recently
 * acknowledged, because a broker that crashes forgets acknowledgements it had not written to disk. A message is one of these at a time.
 * Not thread-safe: used by the task's thread.
 */
final class SeenMessages {

    /** No channel has this number: nothing was acknowledged. */
    static final long NO_CHANNEL = -1;

    /**
     * How many windows may be owed: that of a machine that vanished, which the broker keeps until it misses its heartbeats, and that of its
     * successor. A queue that is emptied, or whose messages expire, never gives them back, nor those that were acknowledged
     * after the checkpoint that was restored; so there must be an end.
     */
    private static final int OWED_WINDOWS = 2;

    private final int remembered;
    private final TreeMap<Long, Map<Long, List<MessageKey>>> bound = new TreeMap<>();
    private final LinkedHashSet<MessageKey> acknowledged;
    private final LinkedHashSet<MessageKey> owed;
    /** How often each is in {@link #emitted} and {@link #bound}: it is the last of them that decides whether it is acknowledged. */
    private final Map<MessageKey, Integer> delivered = new HashMap<>();
    /** By the number of the channel that delivered them. */
    private Map<Long, List<MessageKey>> emitted = new LinkedHashMap<>();

    private int mostOwed;

    /**
     * @param prefetch how many a channel delivers without an acknowledgement
     * @param remembered how many acknowledged messages to remember
     * @param restored those of a checkpoint
     */
    SeenMessages(int prefetch, int remembered, SeenIds restored) {
        this.remembered = remembered;
        acknowledged = new LinkedHashSet<>(restored.acknowledged());
        owed = new LinkedHashSet<>(restored.owed());
        owed.addAll(restored.delivered());
        mostOwed = Math.max(remembered, OWED_WINDOWS * prefetch);
        lost(restored.delivered().size());
        forgetSome();
    }

    /** So many were lost at once: more than the window when it was wider before a restore, or widened for want of checkpoints. */
    private void lost(int window) {
        mostOwed = Math.max(mostOwed, OWED_WINDOWS * window);
    }

    /** Takes note of a message that a channel delivered; false if it was seen before. */
    boolean add(MessageKey key, long channel) {
        emitted.computeIfAbsent(channel, number -> new ArrayList<>()).add(key);
        boolean again = delivered.merge(key, 1, Integer::sum) > 1;
        // Its fate is that of this delivery now; it must not be forgotten with others that are acknowledged.
        boolean wasOwed = owed.remove(key);
        boolean wasAcknowledged = acknowledged.remove(key);
        return !again && !wasOwed && !wasAcknowledged;
    }

    boolean contains(MessageKey key) {
        return delivered.containsKey(key) || owed.contains(key) || acknowledged.contains(key);
    }

    void bind(long checkpointId) {
        if (!emitted.isEmpty()) {
            bound.put(checkpointId, emitted);
            emitted = new LinkedHashMap<>();
        }
    }

    /**
     * A checkpoint is complete.
     *
     * @param channel what of it this channel had delivered is acknowledged; {@link #NO_CHANNEL} if that could not be said to the broker
     */
    void complete(long checkpointId, long channel) {
        Map<Long, Map<Long, List<MessageKey>>> done = bound.headMap(checkpointId, true);
        int before = owed.size();
        for (Map<Long, List<MessageKey>> ofChannels : done.values()) {
            ofChannels.forEach((number, keys) -> {
                if (number != channel) {
                    keys.stream().filter(this::wasLast).forEach(owed::add);
                }
            });
        }
        lost(owed.size() - before);
        for (Map<Long, List<MessageKey>> ofChannels : done.values()) {
            ofChannels.getOrDefault(channel, List.of()).stream()
                    .filter(this::wasLast)
                    .forEach(acknowledged::add);
        }
        done.clear();
        forgetSome();
    }

    /** Takes one delivery of a message out; whether there is no other. */
    private boolean wasLast(MessageKey key) {
        return delivered.computeIfPresent(key, (k, times) -> times == 1 ? null : times - 1) == null;
    }

    private void forgetSome() {
        forgetOldest(acknowledged, remembered);
        forgetOldest(owed, mostOwed);
    }

    private static void forgetOldest(LinkedHashSet<MessageKey> oldestFirst, int most) {
        Iterator<MessageKey> oldest = oldestFirst.iterator();
        while (oldestFirst.size() > most) {
            oldest.next();
            oldest.remove();
        }
    }

    SeenIds snapshot() {
        LinkedHashSet<MessageKey> unacknowledged = new LinkedHashSet<>();
        bound.values().forEach(ofChannels -> ofChannels.values().forEach(unacknowledged::addAll));
        emitted.values().forEach(unacknowledged::addAll);
        return new SeenIds(List.copyOf(acknowledged), List.copyOf(owed), List.copyOf(unacknowledged));
    }
}
