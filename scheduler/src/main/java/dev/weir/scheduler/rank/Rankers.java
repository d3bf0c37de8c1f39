package dev.weir.scheduler.rank;

import dev.weir.protocol.Limits;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** The rankers on the class path of this class. They are looked up once, because that takes as long as a thousand events. */
public final class Rankers {

    private static final Map<String, Ranker> BY_NAME = find();

    private Rankers() {}

    private static Map<String, Ranker> find() {
        Map<String, Ranker> found = new HashMap<>();
        for (Ranker ranker : ServiceLoader.load(Ranker.class, Rankers.class.getClassLoader())) {
            found.put(ranker.name(), ranker);
        }
        return Map.copyOf(found);
    }

    /** The ranker with this name; null when it is unknown. */
    public static Ranker named(String name) {
        return BY_NAME.get(name);
    }

    /** The names of all rankers, for people. */
    public static String names() {
        return String.join(", ", new TreeSet<>(BY_NAME.keySet()));
    }

    /** The weight for interleaving: the rank, rounded, within 1 to 100. */
    public static int weight(double rank) {
        return (int) Math.max(Limits.MIN_WEIGHT, Math.min(Limits.MAX_WEIGHT, Math.round(rank)));
    }
}
