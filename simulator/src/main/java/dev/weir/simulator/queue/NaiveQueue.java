package dev.weir.simulator.queue;

import dev.weir.protocol.queue.QueueEntry.SetOwner;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.simulator.invariant.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One queue as its documents describe it: its items by key, and what it has counted. */
final class NaiveQueue {

    final String name;
    QueueSettings settings;
    boolean paused;
    boolean low;
    final Map<String, NaiveItem> items = new TreeMap<>();
    final NaiveRests rests = new NaiveRests(this);
    private final Map<String, SetOwner> owners = new HashMap<>();
    /** Of owners. */
    private final Map<String, Map<String, Double>> facts = new HashMap<>();

    long pushed;
    long popped;
    long finished;
    long failed;
    long lost;
    long died;
    /** Dead items that were too many or too old. */
    long deadDropped;
    /** Answers that were given without work. */
    long hits;
    /** Keys of dead items that were too many or too old, in this run of Weir. */
    final Set<String> dropped = new HashSet<>();
    /** Dead ones before and after an event in which several died, so that it is not known which were dropped. */
    private List<NaiveItem> doubtful = List.of();

    NaiveQueue(String name) {
        this.name = name;
    }

    NaiveQueue copy() {
        NaiveQueue copy = new NaiveQueue(name);
        copy.settings = settings;
        copy.paused = paused;
        copy.low = low;
        items.forEach((key, item) -> copy.items.put(key, item.copy()));
        rests.copyTo(copy.rests);
        copy.owners.putAll(owners);
        copy.facts.putAll(facts);
        copy.pushed = pushed;
        copy.popped = popped;
        copy.finished = finished;
        copy.failed = failed;
        copy.lost = lost;
        copy.died = died;
        copy.deadDropped = deadDropped;
        copy.hits = hits;
        return copy;
    }

    Stream<NaiveItem> in(State state) {
        return items.values().stream().filter(item -> item.is(state));
    }

    /** The item that expires first of those that wait or are put off; null when none does. */
    NaiveItem firstToExpire() {
        return Stream.concat(in(State.WAITING), in(State.LATER))
                .filter(item -> item.wanted.expiresAt() > 0)
                .min(Comparator.comparingLong(item -> item.wanted.expiresAt()))
                .orElse(null);
    }

    long live() {
        return items.size() - count(State.DEAD);
    }

    long count(State state) {
        long count = 0;
        for (NaiveItem item : items.values()) {
            count += item.is(state) ? 1 : 0;
        }
        return count;
    }

    private long bytes() {
        return items.values().stream()
                .filter(NaiveItem::isLive)
                .mapToLong(NaiveItem::size)
                .sum();
    }

    void set(SetOwner owner) {
        boolean isPlain = owner.weight() == 1 && owner.maxItems() == null && !facts.containsKey(owner.owner());
        if (isPlain) {
            owners.remove(owner.owner());
        } else {
            owners.put(owner.owner(), owner);
        }
    }

    /** Facts of an owner come, and others are taken away. */
    void learn(String owner, Map<String, Double> changes) {
        Map<String, Double> all = new HashMap<>(facts.getOrDefault(owner, Map.of()));
        all.putAll(changes);
        all.values().removeIf(Objects::isNull);
        facts.put(owner, all);
        facts.values().removeIf(Map::isEmpty);
        set(owners.getOrDefault(owner, new SetOwner(0, name, owner, 1, null)));
    }

    /** What waits and has another priority now. */
    List<NaiveItem> misranked() {
        return in(State.WAITING).filter(item -> item.priority != priority(item)).toList();
    }

    /** The priority of an item: who is asked for goes first; otherwise what is given less the weighted facts, but never 1. */
    int priority(NaiveItem item) {
        int given = item.asked ? 1 : item.wanted.priority();
        if (given == 1 || settings.rank() == null) {
            return given;
        }
        double sum = 0;
        for (Map.Entry<String, Double> weight : settings.rank().weights().entrySet()) {
            Map<String, Double> ofOwner = facts.getOrDefault(item.owner(), Map.of());
            Double fact = item.wanted.facts().getOrDefault(weight.getKey(), ofOwner.get(weight.getKey()));
            sum += fact == null ? 0 : fact * weight.getValue();
        }
        return (int) Math.min(Math.max(Math.round(given - sum), 2), QueueLimits.WORST_PRIORITY);
    }

    private long of(String owner) {
        return items.values().stream()
                .filter(item -> item.isLive() && item.owner().equals(owner))
                .count();
    }

    /**
     * Whether a bound keeps content out.
     *
     * @param present the item of its key that it would replace; null for none
     */
    boolean isFull(String key, Wanted wanted, NaiveItem present) {
        if (present == null) {
            return isQueueFull(key, wanted) || isOwnerFull(wanted, null);
        }
        Wanted replaced = present.is(State.LEASED) ? present.successor : present.wanted;
        return hasNoRoomFor(wanted.size() - (replaced == null ? 0 : replaced.size()), wanted)
                || isOwnerFull(wanted, present);
    }

    /** Whether one more item has no room. */
    boolean isQueueFull(String key, Wanted wanted) {
        double part = wanted.priority() == 1 ? 1 : 1 - settings.reserve();
        return live() + 1 > Math.max(1, Math.floor(settings.maxItems() * part))
                || hasNoRoomFor(key.length() + wanted.size(), wanted);
    }

    /** Whether so many bytes more have no room. */
    boolean hasNoRoomFor(long more, Wanted wanted) {
        double part = wanted.priority() == 1 ? 1 : 1 - settings.reserve();
        return more > 0 && bytes() + more > settings.maxBytes() * part;
    }

    boolean isOwnerFull(Wanted wanted, NaiveItem present) {
        String owner = wanted.item().owner();
        Integer most = mostOf(owner);
        boolean isMore = present == null || !present.owner().equals(owner);
        return most != null && isMore && of(owner) + 1 > most;
    }

    /** The most items of an owner; null when it has no bound. */
    Integer mostOf(String owner) {
        SetOwner own = owners.get(owner);
        return own == null || own.maxItems() == null ? settings.maxItemsPerOwner() : own.maxItems();
    }

    /** The item has failed for good; of too many dead ones the oldest are dropped. */
    void dies(NaiveItem item, long now) {
        items.remove(item.key);
        item.asked = false;
        item.priority = item.wanted.priority();
        rests.died(item, now);
        item.state = State.DEAD;
        item.at = now;
        died++;
        if (settings.maxDead() == 0) {
            deadDropped++;
            dropped.add(item.key);
            return;
        }
        while (count(State.DEAD) >= settings.maxDead()) {
            deadDropped++;
            drop(oldestDead().get(0));
        }
        items.put(item.key, item);
    }

    /** Of more dead items than are kept the oldest go, and those that are too old. */
    void dropDead(long now) {
        List<NaiveItem> dead = oldestDead();
        for (int i = 0; i < dead.size(); i++) {
            boolean isTooMuch = dead.size() - i > settings.maxDead();
            if (isTooMuch || dead.get(i).at + settings.deadS() * 1_000L <= now) {
                deadDropped++;
                drop(dead.get(i));
            }
        }
    }

    private void drop(NaiveItem item) {
        items.remove(item.key);
        dropped.add(item.key);
    }

    List<NaiveItem> oldestDead() {
        return in(State.DEAD)
                .sorted(Comparator.<NaiveItem>comparingLong(item -> item.at).thenComparingLong(item -> item.number))
                .toList();
    }

    /** Several have died at once: which of these are kept is to be asked. */
    void doubt(List<NaiveItem> deadBefore, List<NaiveItem> died) {
        if (died.size() > 1 && deadBefore.size() + died.size() > settings.maxDead()) {
            doubtful = new ArrayList<>(deadBefore);
            doubtful.addAll(died);
        }
    }

    List<NaiveItem> doubtful() {
        return doubtful;
    }

    /** Those of the doubtful that are kept. */
    void resolve(Set<String> kept, long now) {
        Violation.check(
                kept.size() == count(State.DEAD), "no more dead items are kept than the queue says", name, kept);
        long youngestDropped = 0;
        long oldestKept = Long.MAX_VALUE;
        for (NaiveItem item : doubtful) {
            boolean diedNow = item.at == now;
            if (kept.contains(item.key)) {
                oldestKept = diedNow ? oldestKept : Math.min(oldestKept, item.at);
                items.put(item.key, item);
            } else {
                youngestDropped = diedNow ? youngestDropped : Math.max(youngestDropped, item.at);
                drop(item);
            }
        }
        Violation.check(youngestDropped <= oldestKept, "of too many dead items the oldest are dropped", name, kept);
        doubtful = List.of();
    }

    /** Whether it has become low with this event. */
    boolean becomesLow() {
        boolean was = low;
        low = isBelowMark();
        return low && !was;
    }

    boolean isBelowMark() {
        return settings.low() != null && count(State.WAITING) + count(State.LATER) < settings.low();
    }

    /** Throws a violation with what a reader sees otherwise. */
    void compare(QueueView view) {
        long[] count = new long[State.values().length];
        long bytes = 0;
        Set<String> known = new HashSet<>(owners.keySet());
        for (NaiveItem item : items.values()) {
            count[item.state.ordinal()]++;
            if (item.isLive()) {
                bytes += item.size();
                known.add(item.owner());
            }
        }
        same("waiting", count[State.WAITING.ordinal()], view.waiting());
        same("later", count[State.LATER.ordinal()], view.later());
        same("leased", count[State.LEASED.ordinal()], view.leased());
        same("dead", count[State.DEAD.ordinal()], view.dead());
        same("bytes", bytes, view.bytes());
        same("owners", known.size(), view.owners());
        same("pushed", pushed, view.pushed());
        same("popped", popped, view.popped());
        same("finished", finished, view.finished());
        same("failed", failed, view.failed());
        same("lost", lost, view.lost());
        same("died", died, view.died());
        same("dropped dead ones", deadDropped, view.deadDropped());
        same("resting", rests.count(), view.resting());
        same("hits", hits, view.hits());
        Violation.check(paused == view.paused(), "a queue is paused as was commanded", view);
    }

    private void same(String what, long expected, long is) {
        Violation.check(
                expected == is,
                "a queue has what was pushed and has not ended",
                name,
                what,
                "should be",
                expected,
                "is",
                is,
                items.values());
    }
}
