package dev.weir.simulator.queue;

import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.simulator.invariant.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Keys that are there until somebody ends them, before a crash and after it. */
final class Lasting {

    /** With what is there of them. */
    private final Map<String, String> all = new TreeMap<>();

    private final Set<String> keys = all.keySet();

    /**
     * @param expiring keys of which an item could expire
     * @param asked keys whose item may be there only because somebody asked
     */
    Lasting(NaiveQueues naive, Set<String> expiring, Set<String> asked) {
        for (NaiveQueue queue : naive.queues.values()) {
            for (NaiveItem item : queue.items.values()) {
                if (item.isLive() && (!item.removed || item.successor != null)) {
                    all.put(name(queue, item.key), item.toString());
                }
            }
            queue.rests.recurring().forEach(rest -> all.put(name(queue, rest.key), rest.toString()));
        }
        keys.removeAll(expiring);
        keys.removeAll(asked);
    }

    private static String name(NaiveQueue queue, String key) {
        return queue.name + '/' + key;
    }

    /**
     * What was finished may be recognised now although its lease was lost then; what was leased when its queue was purged, or its key removed,
     * may wait now. A push that came after that is not taken.
     *
     * @param repeated what has come again since the crash, in the order in which it came first
     */
    void check(QueueJudge judge, List<QueueEntry> repeated) {
        Set<String> pushedLater = new HashSet<>();
        for (int i = repeated.size() - 1; i >= 0; i--) {
            QueueEntry entry = repeated.get(i);
            if (entry instanceof QueueEntry.Push push) {
                pushedLater.add(push.queue() + '/' + push.item().key());
            } else if (entry instanceof QueueEntry.QueueAction action && action.action() == Action.PURGE) {
                keys.removeIf(key -> key.startsWith(action.queue() + '/') && !pushedLater.contains(key));
            } else if (entry instanceof QueueEntry.Remove remove) {
                String key = remove.queue() + '/' + remove.key();
                keys.removeIf(removed -> removed.equals(key) && !pushedLater.contains(key));
            } else if (entry instanceof QueueEntry.Done done) {
                Lease lease = judge.leaseOf(done.token());
                keys.remove(lease.queue() + '/' + lease.key());
            }
        }
        for (NaiveQueue queue : judge.naive.queues.values()) {
            queue.items.keySet().forEach(key -> keys.remove(name(queue, key)));
            // An answer may be fresh again, because the lookup that has ended it is forgotten.
            keys.removeIf(key -> key.startsWith(queue.name + '/')
                    && queue.rests.holds(key.substring(queue.name.length() + 1), judge.naive.now()));
            // What has died again may be one dead item too many.
            queue.dropped.forEach(key -> keys.remove(name(queue, key)));
        }
        Violation.check(keys.isEmpty(), "a crash loses no item", all);
    }
}
