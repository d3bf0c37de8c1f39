package dev.weir.engine.interleave;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;

/** A growing array of members; sorted by arrival where a method says so. */
final class Roll {

    private static final Comparator<Member> BY_ARRIVAL = Comparator.comparingLong(Member::arrival);

    Member[] members = new Member[16];
    int size;

    void add(Member member) {
        ensure(size + 1);
        members[size++] = member;
    }

    void ensure(int capacity) {
        if (capacity > members.length) {
            members = Arrays.copyOf(members, Math.max(capacity, members.length + (members.length >> 1)));
        }
    }

    boolean isFull() {
        return size == members.length;
    }

    /** Keeps only the ready members, and room for as many again. */
    void dropOthers(Consumer<Member> dropped) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (members[i].ready) {
                members[kept++] = members[i];
            } else {
                dropped.accept(members[i]);
            }
        }
        shrinkTo(kept);
        ensure(2 * kept);
    }

    void clear() {
        shrinkTo(0);
    }

    void shrinkTo(int newSize) {
        Arrays.fill(members, newSize, Math.max(newSize, size), null);
        size = newSize;
    }

    void sort() {
        for (int i = 1; i < size; i++) {
            if (members[i - 1].arrival > members[i].arrival) {
                Arrays.sort(members, 0, size, BY_ARRIVAL);
                return;
            }
        }
    }

    /** Merges a sorted roll into this sorted one in place, from the back. */
    void merge(Roll other) {
        int total = size + other.size;
        ensure(total);
        int mine = size - 1;
        int others = other.size - 1;
        for (int to = total - 1; others >= 0; to--) {
            if (mine >= 0 && members[mine].arrival > other.members[others].arrival) {
                members[to] = members[mine--];
            } else {
                members[to] = other.members[others--];
            }
        }
        size = total;
    }
}
