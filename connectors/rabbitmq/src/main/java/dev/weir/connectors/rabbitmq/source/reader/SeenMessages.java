package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The messages of a queue that must be recognised when they come again: those emitted and not yet acknowledged, and the
 * most recently acknowledged, because a broker that crashes forgets acknowledgements it had not written to disk. Not
 * thread-safe: used by the task's thread.
 */
final class SeenMessages {

    private final int remembered;
    private final Set<MessageKey> all = new HashSet<>();
    private final TreeMap<Long, List<MessageKey>> bound = new TreeMap<>();
    private final ArrayDeque<MessageKey> acknowledged = new ArrayDeque<>();
    private List<MessageKey> emitted = new ArrayList<>();

    /**
     * @param remembered how many acknowledged messages to remember
     * @param restored those of a checkpoint, oldest first
     */
    SeenMessages(int remembered, Collection<MessageKey> restored) {
        this.remembered = remembered;
        for (MessageKey key : restored) {
            if (all.add(key)) {
                acknowledged.add(key);
            }
        }
    }

    /** Takes note of a message; false if it was seen before. */
    boolean add(MessageKey key) {
        if (!all.add(key)) {
            return false;
        }
        emitted.add(key);
        return true;
    }

    void bind(long checkpointId) {
        if (!emitted.isEmpty()) {
            bound.put(checkpointId, emitted);
            emitted = new ArrayList<>();
        }
    }

    void complete(long checkpointId) {
        var done = bound.headMap(checkpointId, true);
        done.values().forEach(acknowledged::addAll);
        done.clear();
        while (acknowledged.size() > remembered) {
            all.remove(acknowledged.removeFirst());
        }
    }

    /** All of them, oldest first. */
    List<MessageKey> snapshot() {
        List<MessageKey> keys = new ArrayList<>(all.size());
        keys.addAll(acknowledged);
        bound.values().forEach(keys::addAll);
        keys.addAll(emitted);
        return keys;
    }
}
