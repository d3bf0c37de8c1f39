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

    /**
     * What else a channel may have delivered beside an acknowledgement of more than a window, in windows: its last one, and what was on
     * its way from the fetching thread to the task's, which is four batches at most. All of it can be lost with that acknowledgement.
     */
    private static final int WINDOWS_BESIDE = 5;

    private final int prefetch;
    private final int remembered;
    private final int restoredOwed;
    private final TreeMap<Long, Map<Long, List<MessageKey>>> bound = new TreeMap<>();
    private final LinkedHashSet<MessageKey> acknowledged;
    private final LinkedHashSet<MessageKey> owed;
    /** How often each is in {@link #emitted} and {@link #bound}: it is the last of them that decides whether it is acknowledged. */
    private final Map<MessageKey, Integer> delivered = new HashMap<>();
    /** By the number of the channel that delivered them. */
    private Map<Long, List<MessageKey>> emitted = new LinkedHashMap<>();

    /** What one acknowledgement covered at most, if more than a window: a source that ends reads beyond it for want of checkpoints. */
    private int widestAcknowledgement;
    /** What was lost with one channel at most, as long as anything is owed. */
    private int widestLoss;
    /** The channel that was lost last, and how many were lost with it: checkpoints report them one after the other. */
    private long lostChannel = NO_CHANNEL;

    private int lostWithIt;

    /**
     * @param prefetch how many a channel delivers without an acknowledgement
     * @param remembered how many acknowledged messages to remember
     * @param restored those of a checkpoint
     */
    SeenMessages(int prefetch, int remembered, SeenIds restored) {
        this.prefetch = prefetch;
        this.remembered = remembered;
        restoredOwed = restored.owed().size();
        acknowledged = new LinkedHashSet<>(restored.acknowledged());
        owed = new LinkedHashSet<>(restored.owed());
        owed.addAll(restored.delivered());
        widestAcknowledgement = restored.widestAcknowledgement();
        widestLoss = Math.max(restored.widestLoss(), restored.delivered().size());
        forgetSome();
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
        for (Map<Long, List<MessageKey>> ofChannels : done.values()) {
            ofChannels.forEach((number, keys) -> {
                if (number != channel) {
                    lost(number, keys);
                }
            });
        }
        int before = acknowledged.size();
        for (Map<Long, List<MessageKey>> ofChannels : done.values()) {
            ofChannels.getOrDefault(channel, List.of()).stream()
                    .filter(this::wasLast)
                    .forEach(acknowledged::add);
        }
        int covered = acknowledged.size() - before;
        if (covered > prefetch) {
            widestAcknowledgement = Math.max(widestAcknowledgement, covered);
        }
        done.clear();
        forgetSome();
    }

    private void lost(long channel, List<MessageKey> keys) {
        if (channel != lostChannel) {
            lostChannel = channel;
            lostWithIt = 0;
        }
        int before = owed.size();
        keys.stream().filter(this::wasLast).forEach(owed::add);
        lostWithIt += owed.size() - before;
        widestLoss = Math.max(widestLoss, lostWithIt);
    }

    /** Takes one delivery of a message out; whether there is no other. */
    private boolean wasLast(MessageKey key) {
        return delivered.computeIfPresent(key, (k, times) -> times == 1 ? null : times - 1) == null;
    }

    private void forgetSome() {
        if (owed.isEmpty()) {
            widestLoss = 0;
            lostWithIt = 0;
        }
        forgetOldest(acknowledged, mostAcknowledged());
        forgetOldest(owed, mostOwed());
    }

    /** The broker has perhaps not heard the last acknowledgements, as many as it delivers without one: those come again. */
    private int mostAcknowledged() {
        return widestAcknowledgement == 0
                ? remembered
                : widestAcknowledgement + Math.max(remembered, WINDOWS_BESIDE * prefetch);
    }

    /** A window may have been wider than it is now: before a restore, or for want of checkpoints. */
    private int mostOwed() {
        return Math.max(Math.max(remembered, restoredOwed), OWED_WINDOWS * Math.max(prefetch, widestLoss));
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
        return new SeenIds(
                List.copyOf(acknowledged),
                List.copyOf(owed),
                List.copyOf(unacknowledged),
                widestAcknowledgement,
                widestLoss);
    }
}
