package dev.weir.gateway.access;

import java.util.List;

/**
 * What a token may change: names, or beginnings of names that end with a star. Null stands for all, an empty list for none.
 *
 * @param tasks uids of tasks
 * @param pools pools that it may steer, send tasks to, and take jobs from
 * @param pilots ids of pilots
 * @param groups limit groups
 */
public record Scope(List<String> tasks, List<String> pools, List<String> pilots, List<String> groups) {

    public static final Scope ALL = new Scope(null, null, null, null);

    public Scope {
        tasks = tasks == null ? null : List.copyOf(tasks);
        pools = pools == null ? null : List.copyOf(pools);
        pilots = pilots == null ? null : List.copyOf(pilots);
        groups = groups == null ? null : List.copyOf(groups);
    }

    /** A kind of thing that a scope may limit. */
    public enum Kind {
        TASK,
        POOL,
        PILOT,
        GROUP
    }

    public boolean contains(Kind kind, String name) {
        List<String> patterns = switch (kind) {
            case TASK -> tasks;
            case POOL -> pools;
            case PILOT -> pilots;
            case GROUP -> groups;
        };
        return patterns == null || patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }
}
