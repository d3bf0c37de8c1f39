package dev.weir.engine.limit;

import java.util.List;

/**
 * The limit groups of a file, in a stable order. A single group is itself a set, because most files are in one group, and an array in
 * between would cost another memory access at each choice.
 */
public sealed interface GroupSet permits Group, GroupSet.Several {

    /** How many groups, from 0. */
    int size();

    /** The group at an index from 0. */
    Group group(int index);

    /** Their keys in the same order. */
    default List<String> keys() {
        String[] keys = new String[size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = group(i).key();
        }
        return List.of(keys);
    }

    /** The set of these groups in the order of the array. The caller must not change the array any more. */
    static GroupSet of(Group[] groups) {
        return groups.length == 1 ? groups[0] : new Several(groups);
    }

    /** No group, or more than one. */
    final class Several implements GroupSet {

        private final Group[] groups;

        private Several(Group[] groups) {
            this.groups = groups;
        }

        @Override
        public int size() {
            return groups.length;
        }

        @Override
        public Group group(int index) {
            return groups[index];
        }
    }
}
