package dev.weir.queues.item;

import dev.weir.protocol.queue.QueueSettings;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Owner;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;
import java.util.List;

/** How much may be in the queues. What was accepted is never pushed out. */
public final class Bounds {

    private final Lane lane;

    public Bounds(Lane lane) {
        this.lane = lane;
    }

    /**
     * Why an item can't come in; null when it can.
     *
     * @param present the item of its key: a dead one goes when this one comes, another gets this content; null for none
     */
    String full(Queue queue, Content content, String key, ItemRecord present) {
        if (present == null || present.state == State.DEAD) {
            String full = ofQueue(queue, content, key, present);
            return full == null ? ofOwner(queue, content, 1) : full;
        }
        Content replaced = present.state == State.LEASED ? present.successor : present.content;
        String full = bytes(queue, content, content.size() - (replaced == null ? 0 : replaced.size()));
        full = full == null ? ofPlaces(queue, content) : full;
        boolean isOfOwner = present.content.owner().equals(content.owner());
        return full == null ? ofOwner(queue, content, isOfOwner ? 0 : 1) : full;
    }

    /**
     * Why one more item can't come in, whatever its owner has; null when it can.
     *
     * @param dead the item of its key, which goes when this one comes; null for none
     */
    String ofQueue(Queue queue, Content content, String key, ItemRecord dead) {
        QueueSettings settings = queue.settings();
        if (dead == null && lane.items >= lane.options.maxItems()) {
            return "all queues together have the most items, " + lane.options.maxItems();
        }
        double part = part(settings, content);
        if (queue.live() + 1 > Math.max(1, Math.floor(settings.maxItems() * part))) {
            return "the queue has " + queue.live() + " items of at most " + settings.maxItems() + kept(part);
        }
        String bytes = bytes(queue, content, content.size() + key.length());
        return bytes == null ? ofPlaces(queue, content) : bytes;
    }

    private String ofPlaces(Queue queue, Content content) {
        if (!queue.hasRoomForKind(content.kind())) {
            return "the queue has items of the most kinds, " + Queue.MOST_KINDS;
        }
        if (!queue.hasSet(content) && !lane.groups.hasRoomFor(lane.groups.needed(List.of(content.groups())))) {
            return "items of all queues wait in the most limit groups, or in the most sets of them by owner and kind, "
                    + lane.groups.most();
        }
        return null;
    }

    /**
     * Why the bytes of an item have no room; null when they have.
     *
     * @param more so many more than now
     */
    static String bytes(Queue queue, Content content, int more) {
        double part = part(queue.settings(), content);
        long most = queue.settings().maxBytes();
        return more > 0 && queue.bytes() + more > most * part
                ? "the queue has " + queue.bytes() + " bytes of at most " + most + kept(part)
                : null;
    }

    private static double part(QueueSettings settings, Content content) {
        return content.priority() == 1 ? 1 : 1 - settings.reserve();
    }

    /** Why no more keys may rest, or run again. */
    static String resting(Queue queue) {
        return "the queue has the most keys that rest or run again, "
                + queue.settings().maxResting();
    }

    private static String kept(double part) {
        return part < 1 ? ", of which a part is kept for priority 1" : "";
    }

    /** Why an owner can't have so many more items; null when it can. With none more it can, also after its bound was lowered. */
    String ofOwner(Queue queue, Content content, int more) {
        Owner owner = queue.owner(content.owner());
        Integer most =
                owner == null || owner.maxItems() == null ? queue.settings().maxItemsPerOwner() : owner.maxItems();
        if (most != null && more > 0 && owner != null && owner.items() + more > most) {
            return "owner " + content.owner() + " has its most items, " + most;
        }
        return ofOwners(queue, content);
    }

    /** Why an owner without items can't have any; null when it can. */
    String ofOwners(Queue queue, Content content) {
        if (queue.owner(content.owner()) == null && queue.owners().size() >= lane.options.maxOwners()) {
            return "the queue has the most owners, " + lane.options.maxOwners();
        }
        return null;
    }
}
