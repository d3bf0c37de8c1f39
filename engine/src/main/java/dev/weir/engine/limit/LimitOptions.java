package dev.weir.engine.limit;

import dev.weir.engine.Range;
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
 * @param maxGroups most groups of a lane, and most sets of groups in which files of a task wait; files of further ones are read once there
 *     is room; 100,000
 * @param maxFilesInMemory most files of a lane that wait and whose tasks choose among all theirs; further ones are read once there is
 *     room; 20,000,000
 */
public record LimitOptions(List<GroupRule> rules, Map<String, GroupLimit> groups, int maxGroups, int maxFilesInMemory) {

    private static final int MAX_GROUPS = 100_000;
    private static final int MAX_FILES_IN_MEMORY = 20_000_000;

    public LimitOptions {
        rules = List.copyOf(rules);
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
        Range.check("max-groups", maxGroups, 1, 10_000_000);
        Range.check("max-files-in-memory", maxFilesInMemory, 1, 1_000_000_000);
    }

    public LimitOptions(List<GroupRule> rules, Map<String, GroupLimit> groups) {
        this(rules, groups, MAX_GROUPS, MAX_FILES_IN_MEMORY);
    }

    public LimitOptions withMaxGroups(int value) {
        return new LimitOptions(rules, groups, value, maxFilesInMemory);
    }

    public LimitOptions withMaxFilesInMemory(int value) {
        return new LimitOptions(rules, groups, maxGroups, value);
    }

    public static LimitOptions none() {
        return new LimitOptions(List.of(), Map.of());
    }
}
