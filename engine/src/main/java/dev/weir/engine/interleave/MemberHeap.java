package dev.weir.engine.interleave;

import java.util.Arrays;

/** A binary heap of members by {@code key}, then arrival; smallest first. Each member knows its index. */
final class MemberHeap {

    private Member[] members = new Member[16];
    private int size;

    Member first() {
        return size == 0 ? null : members[0];
    }

    void put(Member member) {
        if (member.slot < 0) {
            if (size == members.length) {
                members = Arrays.copyOf(members, size * 2);
            }
            member.slot = size;
            members[size++] = member;
        }
        up(member);
        down(member);
    }

    void remove(Member member) {
        if (member.slot < 0) {
            return;
        }
        int hole = member.slot;
        member.slot = -1;
        Member last = members[--size];
        members[size] = null;
        if (last != member) {
            last.slot = hole;
            members[hole] = last;
            up(last);
            down(last);
        }
    }

    private void up(Member member) {
        int at = member.slot;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!before(member, members[parent])) {
                break;
            }
            place(members[parent], at);
            at = parent;
        }
        place(member, at);
    }

    private void down(Member member) {
        int at = member.slot;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(members[child + 1], members[child])) {
                child++;
            }
            if (!before(members[child], member)) {
                break;
            }
            place(members[child], at);
            at = child;
        }
        place(member, at);
    }

    private void place(Member member, int at) {
        members[at] = member;
        member.slot = at;
    }

    private static boolean before(Member a, Member b) {
        return a.key != b.key ? a.key < b.key : a.arrival < b.arrival;
    }
}
