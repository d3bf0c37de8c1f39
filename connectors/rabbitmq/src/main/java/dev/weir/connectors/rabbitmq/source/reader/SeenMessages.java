package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The messages of a queue that must be recognised when they come again: those emitted and not yet acknowledged; those whose
 * acknowledgement was lost with its channel, until they have come again; and the most recently acknowledged, because a broker
 * that crashes forgets acknowledgements it had not written to disk. Not thread-safe: used by the task's thread.
 */
final class SeenMessages {

    /** No channel has this number: nothing was acknowledged. */
    static final long NO_CHANNEL = -1;

    /** A window has no more. A queue that is emptied or whose messages expire gives some of them never again. */
    private static final int LEAST_OWED = 65_535;

    private final int remembered;
    private final int mostOwed;
    private final Set<MessageKey> all = new HashSet<>();
    private final TreeMap<Long, Map<Long, List<MessageKey>>> bound = new TreeMap<>();
    private final LinkedHashSet<MessageKey> acknowledged = new LinkedHashSet<>();
    private final LinkedHashSet<MessageKey> owed = new LinkedHashSet<>();
    /** By the number of the channel that delivered them. */
    private Map<Long, List<MessageKey>> emitted = new HashMap<>();

    /**
     * @param remembered how many acknowledged messages to remember
     * @param restored those of a checkpoint, oldest first
     */
    SeenMessages(int remembered, Collection<MessageKey> restored) {
        this.remembered = remembered;
        mostOwed = Math.max(remembered, LEAST_OWED);
        all.addAll(restored);
        acknowledged.addAll(restored);
    }

    /** Takes note of a message that a channel delivered; false if it was seen before. */
    boolean add(MessageKey key, long channel) {
        emitted.computeIfAbsent(channel, number -> new ArrayList<>()).add(key);
        return all.add(key);
    }

    boolean contains(MessageKey key) {
        return all.contains(key);
    }

    void bind(long checkpointId) {
        if (!emitted.isEmpty()) {
            bound.put(checkpointId, emitted);
            emitted = new HashMap<>();
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
                    keys.stream().filter(key -> !acknowledged.contains(key)).forEach(owed::add);
                }
            });
        }
        for (Map<Long, List<MessageKey>> ofChannels : done.values()) {
            List<MessageKey> keys = ofChannels.getOrDefault(channel, List.of());
            keys.forEach(owed::remove);
            acknowledged.addAll(keys);
        }
        done.clear();
        forget(acknowledged, remembered);
        forget(owed, mostOwed);
    }

    private void forget(LinkedHashSet<MessageKey> oldestFirst, int most) {
        Iterator<MessageKey> oldest = oldestFirst.iterator();
        while (oldestFirst.size() > most) {
            MessageKey key = oldest.next();
            oldest.remove();
            all.remove(key);
        }
    }

    /** All of them, each once, oldest first. */
    List<MessageKey> snapshot() {
        Set<MessageKey> keys = new LinkedHashSet<>(acknowledged);
        keys.addAll(owed);
        bound.values().forEach(ofChannels -> ofChannels.values().forEach(keys::addAll));
        emitted.values().forEach(keys::addAll);
        return new ArrayList<>(keys);
    }
}
