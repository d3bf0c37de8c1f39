package dev.weir.queues;

import dev.weir.engine.limit.GroupSet;
import dev.weir.engine.store.Store;
import dev.weir.queues.item.Leases;
import dev.weir.queues.model.DueList;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.Tables;

/** Builds a lane's memory from its state. */
final class MemoryBuilder {

    private final Lane lane;
    private final Store store;
    private final Leases leases;

    MemoryBuilder(Lane lane, Store store, Leases leases) {
        this.lane = lane;
        this.store = store;
        this.leases = leases;
    }

    void run() {
        store.forEach(Tables.GROUP, (key, group) -> lane.groups.restore(key, group, lane.now()));
        store.forEach(Tables.QUEUE, (name, record) -> lane.add(record));
        store.forEach(
                Tables.OWNER,
                (key, owner) -> lane.queues
                        .get(owner.queue())
                        .setOwner(owner.owner(), owner.weight(), owner.maxItems(), owner.facts()));
        store.forEach(
                Tables.DUE_LIST,
                (key, list) ->
                        lane.queues.get(list.queue()).restore(new DueList(list.name(), list.first(), list.next())));
        store.forEach(Tables.ITEM, (number, item) -> {
            lane.items++;
            Queue queue = lane.queues.get(item.queue);
            if (Lane.isPurged(queue, item)) {
                queue.stillPurged(item.number);
            } else {
                queue.enter(item, lane.now());
                if (item.state == ItemRecord.State.LEASED) {
                    GroupSet groups = lane.groups.resolve(item.content.groups());
                    lane.groups.counted(groups);
                    leases.live(queue, item, groups);
                }
            }
        });
        lane.groups.forgetUnused(lane.now());
        lane.groups.all().stream().filter(group -> group.heldUntil() > 0).forEach(lane.held::add);
        for (Queue queue : lane.queues.values()) {
            lane.watch(queue);
            if (queue.record.ranking) {
                queue.owners().forEach(queue::rankAnew);
                lane.timers.set(queue.rank, lane.now());
            }
            if (queue.isPurging() || queue.record.deleted) {
                lane.timers.set(queue.purge, lane.now());
            }
        }
        lane.agenda.clear();
    }
}
