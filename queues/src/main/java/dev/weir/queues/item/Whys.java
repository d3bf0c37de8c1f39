package dev.weir.queues.item;

import dev.weir.engine.limit.Group;
import dev.weir.queues.model.Bucket;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Line;
import dev.weir.queues.model.Queue;
import dev.weir.queues.model.Share;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;
import dev.weir.queues.state.RestRecord;
import java.time.Instant;

/** Why an item does not start, in a sentence for people. */
final class Whys {

    private static final long MINUTE = 60_000;

    private final Lane lane;
    private final Bounds bounds;

    Whys(Lane lane, Bounds bounds) {
        this.lane = lane;
        this.bounds = bounds;
    }

    /** Of a key without an item. */
    String ofKey(Queue queue, RestRecord rest) {
        if (rest.due == 0) {
            return "rests: only its answer or its grace is kept, until " + Instant.ofEpochMilli(rest.endsAt());
        }
        return rest.due > lane.now() ? "rests until " + Instant.ofEpochMilli(rest.due) : due(queue, rest);
    }

    /** Of a key whose time has come. */
    private String due(Queue queue, RestRecord rest) {
        String full = bounds.ofQueue(queue, rest.content, rest.key, null);
        return full == null ? "is due, after the keys that were due before it" : "is due, but " + full;
    }

    /**
     * Of an item that has not ended.
     *
     * @param rest what is kept of its key; null for nothing
     * @return null when it is the next, or only behind others of its owner and kind
     */
    String ofItem(Queue queue, ItemRecord item, RestRecord rest) {
        return switch (item.state) {
            case DEAD -> "dead: " + (item.error == null ? "it failed" : item.error) + runsAgain(queue, rest);
            case LEASED -> item.removed ? "removed; its worker has not ended yet" : "a worker has it";
            default -> queue.record.paused ? "queue " + queue.name() + " is paused" : ofOpen(queue, item);
        };
    }

    private String runsAgain(Queue queue, RestRecord rest) {
        if (rest == null || rest.due == 0) {
            return "";
        }
        return rest.due > lane.now()
                ? "; its key runs again at " + Instant.ofEpochMilli(rest.due)
                : "; its key " + due(queue, rest);
    }

    private String ofOpen(Queue queue, ItemRecord item) {
        if (item.state == State.LATER) {
            return (item.coolUntil >= item.at ? "cools off after a failure until " : "is not to start before ")
                    + Instant.ofEpochMilli(item.at);
        }
        Bucket bucket = share(queue, item).bucket(item.content.groups());
        Group full = bucket.waiter() == null ? null : bucket.waiter().waitsIn();
        return full == null ? ofReady(bucket.share().line()) : ofGroup(full);
    }

    static Share share(Queue queue, ItemRecord item) {
        return queue.line(item.content.kind()).share(item.content.owner());
    }

    private String ofGroup(Group full) {
        if (full.heldUntil() > lane.now()) {
            return "group " + full.key() + " is held until " + Instant.ofEpochMilli(full.heldUntil())
                    + ", because a worker said so";
        }
        long opens = full.opensAt(lane.now());
        return "group " + full.key() + " is full: " + full.inFlight() + " in flight, its limit is "
                + full.whole().text()
                + (opens == Long.MAX_VALUE ? "" : "; a start is possible at " + Instant.ofEpochMilli(opens));
    }

    private String ofReady(Line line) {
        if (lane.leases.size() >= lane.options.maxLeased()) {
            return "workers have the most items of all queues, " + lane.options.maxLeased();
        }
        long silent = (lane.now() - line.askedAt()) / MINUTE;
        if (line.askedAt() == 0 || silent >= Line.SILENT_MILLIS / MINUTE) {
            return "no worker has asked for kind " + line.kind()
                    + (line.askedAt() == 0 ? "" : " for " + silent + " minutes");
        }
        int owners = line.shares().size();
        return owners == 1
                ? null
                : "waits for the turn of its owner, one of " + owners + " with waiting items of kind " + line.kind();
    }
}
