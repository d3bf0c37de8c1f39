package dev.weir.simulator.queue;

import dev.weir.protocol.queue.QueueEntry.SetLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The limits that were set, and which starts they count. What is leased is counted by the caller. */
final class NaiveGroups {

    private final Map<String, Limit> limits = new HashMap<>();
    /** Until when groups are held. */
    private final Map<String, Long> held = new HashMap<>();

    /** A limit and the starts since it was set. */
    private static final class Limit {
        Integer inFlight;
        Integer starts;
        long windowMillis;
        /** Until then starts that are not known here may count. */
        long unsureUntil;

        List<Long> started = new ArrayList<>();

        Limit copy() {
            Limit copy = new Limit();
            copy.inFlight = inFlight;
            copy.starts = starts;
            copy.windowMillis = windowMillis;
            copy.unsureUntil = unsureUntil;
            copy.started = new ArrayList<>(started);
            return copy;
        }

        long inWindow(long now) {
            return started.stream().filter(at -> at > now - windowMillis).count();
        }
    }

    NaiveGroups copy() {
        NaiveGroups copy = new NaiveGroups();
        limits.forEach((group, limit) -> copy.limits.put(group, limit.copy()));
        copy.held.putAll(held);
        return copy;
    }

    void set(SetLimit set, long now) {
        Limit limit = limits.computeIfAbsent(set.group(), group -> new Limit());
        long longest = Math.max(limit.windowMillis, set.windowS() == null ? 0 : set.windowS() * 1_000L);
        limit.inFlight = set.maxInFlight();
        limit.starts = set.maxStarts();
        limit.windowMillis = set.windowS() == null ? 0 : set.windowS() * 1_000L;
        limit.unsureUntil = Math.max(limit.unsureUntil, now + longest);
        limit.started.clear();
        held.remove(set.group());
    }

    void hold(String group, long until) {
        held.merge(group, until, Math::max);
    }

    /** Holds that are over have ended for good, also when the clock goes back. */
    void advance(long now) {
        held.values().removeIf(until -> until <= now);
    }

    private boolean isHeld(String group, long now) {
        return held.getOrDefault(group, 0L) > now;
    }

    void started(List<String> groups, long now) {
        for (String group : groups) {
            Limit limit = limits.get(group);
            if (limit != null && limit.starts != null) {
                limit.started.add(now);
                limit.started.removeIf(at -> at <= now - limit.windowMillis);
            }
        }
    }

    /** The clock went back: which starts count is not known for a window. */
    void stepBack(long now) {
        limits.values().forEach(limit -> {
            limit.started.clear();
            limit.unsureUntil = now + limit.windowMillis;
        });
    }

    /** Whether a start breaks a limit, as far as is known here. */
    boolean isFull(String group, long leased, long now) {
        Limit limit = limits.get(group);
        return isHeld(group, now)
                || limit != null
                        && (limit.inFlight != null && leased >= limit.inFlight
                                || limit.starts != null && limit.inWindow(now) >= limit.starts);
    }

    /** Whether it surely has room. */
    boolean hasRoom(String group, long leased, long now) {
        Limit limit = limits.get(group);
        return !isFull(group, leased, now) && (limit == null || limit.starts == null || now >= limit.unsureUntil);
    }

    boolean isLimited(String group, long now) {
        Limit limit = limits.get(group);
        return isHeld(group, now) || limit != null && (limit.inFlight != null || limit.starts != null);
    }
}
