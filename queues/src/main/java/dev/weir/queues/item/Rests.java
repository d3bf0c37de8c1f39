package dev.weir.queues.item;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import dev.weir.queues.model.DueList;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.DueRecord;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;

/** What outlives the items of keys: next runs, answers and graces. They are in state only, by key and in due lists. */
public final class Rests {

    private static final long SECOND = 1_000;
    /** What somebody waited for is kept so long, for all that ask in slices. */
    private static final int LEAST_FRESH_S = 10;
    /** An answer is refreshed in the last tenth of its life. */
    private static final int PARTS = 10;

    private final Lane lane;
    private final Dates dates = new Dates();

    public Rests(Lane lane) {
        this.lane = lane;
    }

    /** What is kept of a key; null for nothing. */
    RestRecord find(Queue queue, String key) {
        RestRecord rest = queue.record.resting == 0 ? null : known(queue, key);
        return rest == null || rest.isOver() ? null : rest;
    }

    /** Until when a key does not start again; 0 for no such time. */
    long graceUntil(Queue queue, String key) {
        RestRecord rest = find(queue, key);
        return rest == null ? 0 : rest.graceUntil;
    }

    /** What is kept of a key, or else of which dates it is in due lists; null for nothing. */
    RestRecord known(Queue queue, String key) {
        return lane.work.get(Tables.REST, Tables.key(queue.name(), key));
    }

    /** Whether one more key that does not yet count may rest, or run again. */
    static boolean hasRoom(Queue queue) {
        return queue.record.resting + queue.recurring() < queue.settings().maxResting();
    }

    /** Writes what is kept of a key; of one without a future only of which dates it is in due lists. */
    void save(Queue queue, RestRecord rest) {
        String name = Tables.key(queue.name(), rest.key);
        boolean was = rest.stored;
        rest.stored = rest.due > 0 || rest.endsAt() > lane.now();
        if (rest.stored || rest.isListed()) {
            lane.work.put(Tables.REST, name, rest.stored ? rest : rest.listedOnly());
        } else {
            lane.work.remove(Tables.REST, name);
        }
        if (rest.stored != was) {
            queue.record.resting += was ? -1 : 1;
            lane.changed(queue);
        }
    }

    void remove(Queue queue, RestRecord rest) {
        rest.due = 0;
        rest.graceUntil = 0;
        rest.result = null;
        save(queue, rest);
    }

    /** The due lists go, and what they are about with them. */
    void forget(Queue queue, RestRecord rest) {
        rest.dueListed = 0;
        rest.endListed = 0;
        remove(queue, rest);
    }

    /** The key is worked on: its next date is given anew when that ends. */
    void working(Queue queue, RestRecord rest) {
        rest.due = 0;
        rest.refresh = false;
        save(queue, rest);
    }

    /** Sets when a key runs next, after its grace, which is never when its content has expired by then; to be saved. */
    void schedule(Queue queue, RestRecord rest, long date) {
        long due = Math.max(date, rest.graceUntil);
        long expiresAt = rest.content.expiresAt();
        rest.due = expiresAt > 0 && due >= expiresAt ? 0 : due;
        listDue(queue, rest);
    }

    /** As {@link #listEnd}: a key that is pushed before its date gets another one each time. */
    private void listDue(Queue queue, RestRecord rest) {
        if (rest.due > 0 && (rest.dueListed == 0 || rest.due < rest.dueListed)) {
            rest.dueListed = rest.due;
            list(queue, rest.key, rest.due);
        }
    }

    /** Notes in a due list that something of a key is due. */
    void list(Queue queue, String key, long at) {
        DueList list = queue.dueListFor(at, lane.now());
        lane.work.put(Tables.DUE, Tables.key(queue.name(), list.entry(list.next++)), new DueRecord(key, at));
        lane.changed(queue, list);
        lane.watch(queue);
    }

    /**
     * Notes in a due list when answer and grace are over, unless an entry that comes before is there; to be saved. Answers are renewed far
     * more often than they end: an entry for each would stay for as long as the longest of them.
     */
    private void listEnd(Queue queue, RestRecord rest) {
        long at = DueList.minuteAfter(rest.endsAt());
        if (rest.endsAt() > lane.now() && (rest.endListed == 0 || at < rest.endListed)) {
            rest.endListed = at;
            list(queue, rest.key, at);
        }
    }

    /** An entry of a due list was read that is about a key: its date has come, or has moved and is noted again. */
    void read(Queue queue, RestRecord rest, DueRecord entry) {
        if (rest.endListed == entry.at()) {
            rest.endListed = 0;
            listEnd(queue, rest);
        }
        if (rest.dueListed == entry.at()) {
            rest.dueListed = 0;
            listDue(queue, rest);
        }
        save(queue, rest);
    }

    /** An item has finished that was not removed: keeps its result, and says when its key runs again. */
    void finished(Queue queue, ItemRecord item, Done done) {
        QueueSettings settings = queue.settings();
        int freshS = done.freshS() == null ? settings.freshS() : done.freshS();
        int staleS = done.staleS() == null ? settings.staleS() : done.staleS();
        freshS = item.asked ? Math.max(freshS, LEAST_FRESH_S) : freshS;
        boolean recurs = item.content.recurs() && item.successor == null;
        boolean isKept = freshS + staleS > 0;
        RestRecord rest = find(queue, item.key);
        if (rest == null && !recurs && (!isKept && settings.graceS() == 0 || !hasRoom(queue))) {
            return;
        }
        rest = of(queue, rest, item);
        Payload result = done.result() == null ? Payload.NONE : done.result();
        rest.result = isKept ? result : null;
        rest.answeredAt = lane.now();
        rest.freshUntil = lane.now() + freshS * SECOND;
        rest.staleUntil = rest.freshUntil + staleS * SECOND;
        rest.graceUntil = settings.graceS() == 0 ? 0 : lane.now() + settings.graceS() * SECOND;
        listEnd(queue, rest);
        rest.due = 0;
        rest.refresh = false;
        if (recurs) {
            Again again = item.content.again();
            if (again.adapts()) {
                String digest = done.digest() == null ? Dates.digest(result) : done.digest();
                rest.pauseS = Dates.pause(again, item.pauseS, item.digest == null ? null : !item.digest.equals(digest));
                rest.digest = digest;
            }
            next(queue, rest, item, done.next() == null ? 0 : done.next().toEpochMilli());
        } else if (item.successor == null && settings.refresh() == Refresh.ALWAYS && freshS > 0) {
            rest.refresh = true;
            schedule(queue, rest, lastTenth(rest));
        }
        save(queue, rest);
    }

    private static long lastTenth(RestRecord rest) {
        return rest.freshUntil - (rest.freshUntil - rest.answeredAt) / PARTS;
    }

    /** A fresh answer was given to one who may make work: towards its end the first such question has it looked up anew. */
    void asked(Queue queue, RestRecord rest) {
        if (queue.settings().refresh() != Refresh.ASKED || rest.due > 0 || lane.now() < lastTenth(rest)) {
            return;
        }
        ItemRecord item = lane.item(queue, rest.key);
        if (item == null || item.state == State.DEAD && !isRecentFailure(queue, item)) {
            rest.refresh = true;
            schedule(queue, rest, lane.now());
            save(queue, rest);
        }
    }

    /** Whether the failure of a look-up is still the answer. One from a time that has not come failed while the clock was wrong. */
    boolean isRecentFailure(Queue queue, ItemRecord dead) {
        return dead.at <= lane.now() && lane.now() < dead.at + queue.settings().recheckS() * SECOND;
    }

    /** An item is dead: its key may run again. */
    void died(Queue queue, ItemRecord item) {
        RestRecord kept = item.content.recurs() ? null : find(queue, item.key);
        if (kept != null) {
            refreshLater(queue, kept, item);
        } else if (item.content.recurs()) {
            RestRecord rest = of(queue, null, item);
            rest.pauseS = item.content.again().adapts() ? Dates.pause(item.content.again(), item.pauseS, null) : 0;
            next(queue, rest, item, 0);
            save(queue, rest);
        }
    }

    /** A look-up failed for good. An answer that is always looked up anew is once more, as often as before its end, while it may be given. */
    private void refreshLater(Queue queue, RestRecord rest, ItemRecord item) {
        QueueSettings settings = queue.settings();
        long life = rest.freshUntil - rest.answeredAt;
        long pause = Math.max(Math.max(LEAST_FRESH_S, settings.recheckS()) * SECOND, life / PARTS);
        boolean isKept = rest.result != null && life > 0 && lane.now() + pause < rest.staleUntil;
        if (settings.refresh() == Refresh.ALWAYS && isKept) {
            rest.content = item.content.ranked(item.content.given());
            rest.refresh = true;
            schedule(queue, rest, lane.now() + pause);
            save(queue, rest);
        }
    }

    private RestRecord of(Queue queue, RestRecord found, ItemRecord item) {
        RestRecord known = found == null ? known(queue, item.key) : found;
        RestRecord rest = known == null ? new RestRecord() : known;
        rest.queue = item.queue;
        rest.key = item.key;
        rest.content = item.content.ranked(item.content.given());
        rest.createdAt = item.createdAt;
        rest.pauseS = item.pauseS;
        rest.digest = item.digest;
        return rest;
    }

    /** The date of a run, by which the next one is counted. */
    static long dateOf(ItemRecord item) {
        return item.base == 0 ? Math.max(item.createdAt, item.content.notBefore()) : item.base;
    }

    /** @param named by the worker; 0 for the date that the rule gives */
    private void next(Queue queue, RestRecord rest, ItemRecord item, long named) {
        Again again = item.content.again();
        long now = lane.now();
        long date = dateOf(item);
        // A run before its date takes the place of none. One that is after the next date of the rule was counted while
        // the clock was wrong, or named.
        boolean ranBefore = date > now && again.afterS() == null && date <= dates.next(again, now, now, rest.pauseS);
        rest.base = named > 0 ? named : ranBefore ? date : dates.next(again, Math.min(date, now), now, rest.pauseS);
        long due = named > 0 || rest.base == 0 ? rest.base : Dates.jittered(again, item.key, rest.base);
        rest.due = 0;
        if (due > 0) {
            schedule(queue, rest, Math.max(due, now));
        }
    }
}
