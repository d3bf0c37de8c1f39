package dev.weir.scheduler.rank;

import dev.weir.protocol.Limits;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The rankers that there are. */
public final class Rankers {

    private final Map<String, Ranker> byName = new TreeMap<>();

    public Rankers() {
        for (Ranker ranker : ServiceLoader.load(Ranker.class, Rankers.class.getClassLoader())) {
            byName.put(ranker.name(), ranker);
        }
    }

    /** Null when there is none of this name. */
    public Ranker named(String name) {
        return byName.get(name);
    }

    /** The names, for people. */
    public String names() {
        return String.join(", ", byName.keySet());
    }

    /** The integer that interleaving uses: the rank, rounded, within 1 to 100. */
    public static int weight(double rank) {
        return (int) Math.max(Limits.MIN_WEIGHT, Math.min(Limits.MAX_WEIGHT, Math.round(rank)));
    }
}
