package dev.weir.scheduler.options;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Limit groups.
 *
 * @param rules the groups of a file by its URL; none by default. With any rule every dataset is read into state, because a choice among
 *     files needs all of them
 * @param groups limits of single groups by key; a {@code limit} command overrides them
 */
public record LimitOptions(List<GroupRule> rules, Map<String, GroupLimit> groups) {

    public LimitOptions {
        rules = List.copyOf(rules);
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
    }

    public static LimitOptions none() {
        return new LimitOptions(List.of(), Map.of());
    }
}
