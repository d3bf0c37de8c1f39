package dev.weir.engine.limit;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Groups of which readers may see something else than they were shown: each once, in the order in which they changed. Groups without a
 * limit are no news, except one that was shown, and the first group of all.
 */
public final class GroupNews {

    private final Set<Group> groups = new LinkedHashSet<>();
    /** Without a reader, unless one is given. */
    private boolean wanted;

    private boolean begun;

    /** From now on changes are kept. Call this before groups are restored. */
    public void want() {
        wanted = true;
    }

    /** Something of the group has changed. */
    void note(Group group) {
        if (!group.noted && wanted && (group.isLimited() || group.shown != 0 || !begun)) {
            begun = true;
            group.noted = true;
            groups.add(group);
        }
    }

    /** The group is forgotten: it is shown once more, or never. */
    void forgotten(Group group) {
        if (group.shown != 0) {
            note(group);
        } else if (group.noted && groups.size() > 1) {
            groups.remove(group);
        }
    }

    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /** How many there are. */
    public int size() {
        return groups.size();
    }

    /** Removes and returns the first; null for none. */
    public Group poll() {
        if (groups.isEmpty()) {
            return null;
        }
        Iterator<Group> first = groups.iterator();
        Group group = first.next();
        first.remove();
        group.noted = false;
        return group;
    }

    /** Puts one back that changes by the passing of time: it is the last now. */
    public void again(Group group) {
        note(group);
    }
}
