package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Cron;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.queues.state.RestRecord;
import dev.weir.simulator.invariant.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The keys of a queue that rest, as its documents describe them. It follows the core in when a due key runs and when an ended answer
 * goes, within the times that are promised.
 */
final class NaiveRests {

    private static final long SECOND = 1_000;
    private static final long MINUTE = 60_000;
    private static final int LEAST_FRESH_S = 10;

    private final NaiveQueue queue;
    private final Map<String, NaiveRest> rests = new TreeMap<>();
    /** When a due key was last kept out by a bound. */
    private long fullAt;

    NaiveRests(NaiveQueue queue) {
        this.queue = queue;
    }

    void copyTo(NaiveRests copy) {
        rests.forEach((key, rest) -> copy.rests.put(key, rest.copy()));
        copy.fullAt = fullAt;
    }

    NaiveRest find(String key) {
        return rests.get(key);
    }

    /** Whether a key that is not there need not be: it runs later, or a push makes nothing of it. */
    boolean holds(String key, long now) {
        NaiveRest rest = rests.get(key);
        return rest != null && (rest.due > 0 || rest.isFresh(now));
    }

    long count() {
        return rests.size();
    }

    /** Keys that will run again. */
    List<NaiveRest> recurring() {
        return rests.values().stream()
                .filter(rest -> rest.due > 0 && !rest.refresh)
                .toList();
    }

    /** Keys whose answer will be looked up anew before it ends. */
    List<String> refreshing() {
        return rests.values().stream()
                .filter(rest -> rest.due > 0 && rest.refresh)
                .map(rest -> rest.key)
                .toList();
    }

    boolean hasRoom() {
        long recurring = queue.items.values().stream()
                .filter(item -> item.isLive() && item.recurs())
                .count();
        return rests.size() + recurring < queue.settings.maxResting();
    }

    void remove(String key) {
        rests.remove(key);
    }

    /** The key is worked on. */
    void working(NaiveRest rest, long now) {
        rest.due = 0;
        rest.jitter = 0;
        rest.refresh = false;
        save(rest, now);
    }

    void clockWentBack() {
        rests.values().forEach(rest -> rest.mayOutlast = true);
    }

    private void save(NaiveRest rest, long now) {
        if (rest.hasFuture(now)) {
            rests.put(rest.key, rest);
        } else {
            rests.remove(rest.key);
        }
    }

    /** An item that was not removed has finished, and is not there any more. */
    void finished(NaiveItem item, Done done, long now) {
        QueueSettings settings = queue.settings;
        int freshS = Objects.requireNonNullElse(done.freshS(), settings.freshS());
        int staleS = Objects.requireNonNullElse(done.staleS(), settings.staleS());
        freshS = item.asked ? Math.max(LEAST_FRESH_S, freshS) : freshS;
        boolean isKept = freshS > 0 || staleS > 0;
        boolean recurs = item.successor == null && item.wanted.recurs();
        NaiveRest rest = rests.get(item.key);
        if (rest == null && !recurs && (!hasRoom() || !isKept && settings.graceS() == 0)) {
            return;
        }
        rest = of(rest, item);
        Payload result = done.result() == null ? Payload.NONE : done.result();
        rest.result = isKept ? result : null;
        rest.answeredAt = now;
        rest.freshUntil = now + freshS * SECOND;
        rest.staleUntil = rest.freshUntil + staleS * SECOND;
        rest.graceUntil = settings.graceS() == 0 ? 0 : now + settings.graceS() * SECOND;
        rest.due = 0;
        rest.jitter = 0;
        rest.refresh = false;
        if (recurs) {
            if (item.wanted.again().adapts()) {
                String digest = done.digest() == null ? result.json() : done.digest();
                Boolean same = item.digest == null ? null : item.digest.equals(digest);
                rest.pauseS = pause(item.wanted.again(), item.pauseS, same);
                rest.digest = digest;
            }
            next(rest, item, done.next(), now);
        } else if (item.successor == null && freshS > 0 && settings.refresh() == Refresh.ALWAYS) {
            rest.refresh = true;
            rest.due = Math.max(rest.graceUntil, rest.freshUntil - freshS * SECOND / 10);
            rest.due = ends(item, rest.due) ? 0 : rest.due;
        }
        save(rest, now);
    }

    /** Somebody was given its fresh answer: in the last tenth of its life that has it looked up anew, unless it is or has failed just now. */
    void asked(NaiveRest rest, long now) {
        long life = rest.freshUntil - rest.answeredAt;
        NaiveItem item = queue.items.get(rest.key);
        boolean isFree = item == null
                || item.is(State.DEAD) && !item.hasFailedSince(now - queue.settings.recheckS() * SECOND, now);
        if (queue.settings.refresh() == Refresh.ASKED
                && rest.due == 0
                && isFree
                && now >= rest.freshUntil - life / 10
                && !ends(rest.wanted, Math.max(rest.graceUntil, now))) {
            rest.refresh = true;
            rest.due = Math.max(rest.graceUntil, now);
        }
    }

    void died(NaiveItem item, long now) {
        if (item.wanted.recurs()) {
            NaiveRest rest = of(rests.get(item.key), item);
            rest.pauseS = item.wanted.again().adapts() ? pause(item.wanted.again(), item.pauseS, null) : 0;
            next(rest, item, null, now);
            save(rest, now);
        } else if (queue.settings.refresh() == Refresh.ALWAYS && rests.containsKey(item.key)) {
            refreshLater(rests.get(item.key), item, now);
        }
    }

    /** After a recheck, or a tenth of the life of the answer if that is longer, but not when the answer has gone by then. */
    private void refreshLater(NaiveRest rest, NaiveItem item, long now) {
        long life = rest.freshUntil - rest.answeredAt;
        long at = now + Math.max(life / 10, Math.max(10, queue.settings.recheckS()) * SECOND);
        if (rest.result != null && life > 0 && at < rest.staleUntil) {
            rest.wanted = item.wanted;
            long due = Math.max(at, rest.graceUntil);
            rest.due = ends(rest.wanted, due) ? 0 : due;
            rest.refresh = true;
        }
    }

    private static NaiveRest of(NaiveRest kept, NaiveItem item) {
        NaiveRest rest = kept == null ? new NaiveRest(item.key) : kept;
        rest.wanted = item.wanted;
        rest.createdAt = item.createdAt;
        rest.pauseS = item.pauseS;
        rest.digest = item.digest;
        return rest;
    }

    private static int pause(Again again, int before, Boolean same) {
        int pause = before == 0 ? again.afterS() : before;
        if (same != null) {
            pause = same ? 2 * pause : pause / 2;
        }
        return Math.min(Math.max(pause, again.minS()), again.maxS());
    }

    /** The first date of its rule after now, or the one that a worker has named. */
    private static void next(NaiveRest rest, NaiveItem item, Instant named, long now) {
        Again again = item.wanted.again();
        long jitter = 0;
        if (named != null) {
            rest.base = named.toEpochMilli();
        } else {
            long base = item.date();
            boolean isAhead = again.afterS() == null && base > now && base <= date(again, now, now, rest.pauseS);
            rest.base = isAhead ? base : date(again, Math.min(base, now), now, rest.pauseS);
            jitter = again.jitterS() == null ? 0 : again.jitterS() * SECOND;
        }
        long due = Math.max(rest.graceUntil, Math.max(rest.base, now));
        rest.due = ends(item, due) ? 0 : due;
        rest.jitter = ends(item, due) ? 0 : jitter;
    }

    private static boolean ends(NaiveItem item, long at) {
        return ends(item.wanted, at);
    }

    private static boolean ends(Wanted wanted, long at) {
        return wanted.expiresAt() > 0 && at >= wanted.expiresAt();
    }

    private static long date(Again again, long base, long now, int pauseS) {
        if (again.afterS() != null) {
            return now + (again.adapts() ? pauseS : again.afterS()) * SECOND;
        } else if (again.everyS() != null) {
            long date = base + again.everyS() * SECOND;
            while (date <= now) {
                date += again.everyS() * SECOND;
            }
            return date;
        }
        return Cron.of(again.cron(), again.zone())
                .next(Instant.ofEpochMilli(Math.max(base, now)))
                .toEpochMilli();
    }

    /**
     * What the core has done by itself: keys that were due have become items, records that had ended have gone.
     *
     * @param seen what it keeps of a key; null for nothing
     * @param run takes each key that runs now, the worst priority first
     */
    void follow(Function<String, RestRecord> seen, long now, Consumer<NaiveRest> run) {
        List<NaiveRest> woken = new ArrayList<>();
        for (NaiveRest rest : List.copyOf(rests.values())) {
            RestRecord is = seen.apply(rest.key);
            adoptJitter(rest, is);
            long due = is == null ? 0 : is.due;
            if (due != rest.due) {
                mayWake(rest, due, now);
                woken.add(rest);
            } else if (is == null) {
                Violation.check(!rest.hasFuture(now), "what is kept of a key is not lost", queue.name, rest);
                rests.remove(rest.key);
            }
        }
        woken.sort(Comparator.<NaiveRest>comparingInt(rest -> rest.wanted.priority())
                .reversed());
        for (NaiveRest rest : woken) {
            if (!rest.refresh || queue.settings.refresh() != Refresh.NEVER) {
                Violation.check(
                        !queue.isQueueFull(rest.key, rest.wanted),
                        "a due key fits into its queue",
                        queue.name,
                        rest,
                        queue.items.values());
                run.accept(rest);
            }
            working(rest, now);
        }
    }

    /** Whatever its owner has: only the bounds of its queue put it off. */
    private void mayWake(NaiveRest rest, long due, long now) {
        Violation.check(
                rest.due > 0 && rest.due / MINUTE * MINUTE <= now && due == 0,
                "a key rests until the minute of its date",
                queue.name,
                rest,
                due);
    }

    private void adoptJitter(NaiveRest rest, RestRecord is) {
        if (rest.jitter > 0) {
            boolean mayEnd = rest.wanted.expiresAt() > 0 && rest.due + rest.jitter >= rest.wanted.expiresAt();
            long due = is == null ? 0 : is.due;
            Violation.check(
                    due == 0 ? mayEnd : due >= rest.due && due <= rest.due + rest.jitter,
                    "a date is put off by no more than its jitter",
                    rest,
                    due);
            rest.due = due;
            rest.jitter = 0;
        }
    }

    /** Nothing is due any more: what still rests may rest. */
    void settled(long now) {
        for (NaiveRest rest : rests.values()) {
            if (rest.due > 0 && rest.due / MINUTE * MINUTE <= now && queue.isQueueFull(rest.key, rest.wanted)) {
                fullAt = Math.max(fullAt, now);
            }
        }
        for (NaiveRest rest : rests.values()) {
            long since = rest.hasFuture(now)
                    ? rest.due == 0 ? Long.MAX_VALUE : rest.due / MINUTE * MINUTE
                    : (rest.endsAt() + MINUTE - 1) / MINUTE * MINUTE;
            Violation.check(
                    since > now || now - fullAt <= MINUTE || rest.mayOutlast && !rest.hasFuture(now),
                    "a due key runs when there is room, within a minute",
                    queue.name,
                    rest,
                    now);
        }
    }

    /** Whether a reader sees of a key without an item what rests of it. */
    static boolean isAsShown(NaiveRest rest, ShownItem shown) {
        Instant due = rest.due == 0 ? null : Instant.ofEpochMilli(rest.due);
        return shown.state() == State.RESTING
                && Objects.equals(due, shown.notBefore())
                && Objects.equals(rest.wanted.recurs() ? rest.wanted.again() : null, shown.again())
                && shown.createdAt().toEpochMilli() == rest.createdAt;
    }
}
