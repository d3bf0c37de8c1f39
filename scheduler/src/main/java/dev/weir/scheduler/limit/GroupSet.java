package dev.weir.scheduler.limit;

/**
 * The limit groups that a file is in, in a stable order. A single group is the set of itself: most files are in one, and an array
 * between a file and its group would be one more place in memory to wait for at each choice.
 */
public sealed interface GroupSet permits Group, GroupSet.Several {

    /** How many groups, from 0. */
    int size();

    /** The group at an index from 0. */
    Group group(int index);

    /** The groups in the order of the array, which must not be changed any more. */
    static GroupSet of(Group[] groups) {
        return groups.length == 1 ? groups[0] : new Several(groups);
    }

    /** None, or more than one. */
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
