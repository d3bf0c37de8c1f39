package dev.weir.queues.model;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pops that wait for items of a queue, by the kinds that they want: what one kind brings looks at no pop for others. */
public final class WaitingPops {

    /** Stands for pops that want any kind; no kind is empty. */
    private static final String ANY = "";

    /** By kind, then by when they came. */
    private final Map<String, LinkedHashMap<Ask, Long>> byKind = new HashMap<>();

    private long came;

    public boolean isEmpty() {
        return byKind.isEmpty();
    }

    public void add(Ask ask) {
        came++;
        for (String kind : kinds(ask)) {
            byKind.computeIfAbsent(kind, name -> new LinkedHashMap<>()).put(ask, came);
        }
    }

    public void remove(Ask ask) {
        for (String kind : kinds(ask)) {
            LinkedHashMap<Ask, Long> asks = byKind.get(kind);
            asks.remove(ask);
            if (asks.isEmpty()) {
                byKind.remove(kind);
            }
        }
    }

    private static List<String> kinds(Ask ask) {
        List<String> kinds = ask.pop().kinds();
        return kinds.isEmpty() ? List.of(ANY) : kinds;
    }

    public boolean want(String kind) {
        return byKind.containsKey(ANY) || byKind.containsKey(kind);
    }

    /** The one that has waited longest among those that want one of these kinds, of which there is at least one; null for none. */
    public Ask oldest(Set<String> kinds) {
        Map.Entry<Ask, Long> oldest = first(ANY);
        for (String kind : kinds) {
            Map.Entry<Ask, Long> first = first(kind);
            if (first != null && (oldest == null || first.getValue() < oldest.getValue())) {
                oldest = first;
            }
        }
        return oldest == null ? null : oldest.getKey();
    }

    private Map.Entry<Ask, Long> first(String kind) {
        LinkedHashMap<Ask, Long> asks = byKind.get(kind);
        return asks == null ? null : asks.entrySet().iterator().next();
    }
}
