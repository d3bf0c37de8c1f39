package dev.weir.placement.input;

import java.util.Arrays;
import java.util.concurrent.RecursiveAction;

/** Sorts chunks by the bytes of their names: a merge sort on indices, both halves at once. Sorted input costs one look. */
final class NameOrder {

    private static final int INSERTION_BELOW = 16;
    private static final int SEQUENTIAL_BELOW = 1 << 13;

    private NameOrder() {}

    /** The permutation that sorts, stable; null when they are in order already. */
    static int[] sort(Chunks chunks) {
        int count = chunks.count();
        boolean sorted = true;
        for (int i = 1; i < count && sorted; i++) {
            sorted = compare(chunks, i - 1, i) <= 0;
        }
        if (sorted) {
            return null;
        }
        int[] order = new int[count];
        Arrays.setAll(order, i -> i);
        new Sort(chunks, order, order.clone(), 0, count).invoke();
        return order;
    }

    static int compare(Chunks chunks, int one, int other) {
        int oneAt = chunks.offset(one);
        int otherAt = chunks.offset(other);
        return Arrays.compareUnsigned(
                chunks.segment(one),
                oneAt,
                oneAt + chunks.length(one),
                chunks.segment(other),
                otherAt,
                otherAt + chunks.length(other));
    }

    /** Sorts {@code target[from, to)}; {@code source} holds the same indices and is overwritten. */
    private static final class Sort extends RecursiveAction {

        private static final long serialVersionUID = 1;

        private final transient Chunks chunks;
        private final int[] target;
        private final int[] source;
        private final int from;
        private final int to;

        Sort(Chunks chunks, int[] target, int[] source, int from, int to) {
            this.chunks = chunks;
            this.target = target;
            this.source = source;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from < INSERTION_BELOW) {
                insertionSort();
                return;
            }
            int middle = (from + to) >>> 1;
            Sort left = new Sort(chunks, source, target, from, middle);
            Sort right = new Sort(chunks, source, target, middle, to);
            if (to - from < SEQUENTIAL_BELOW) {
                left.compute();
                right.compute();
            } else {
                invokeAll(left, right);
            }
            merge(middle);
        }

        private void insertionSort() {
            for (int i = from + 1; i < to; i++) {
                int moving = target[i];
                int at = i;
                for (; at > from && compare(chunks, target[at - 1], moving) > 0; at--) {
                    target[at] = target[at - 1];
                }
                target[at] = moving;
            }
        }

        private void merge(int middle) {
            int left = from;
            int right = middle;
            for (int at = from; at < to; at++) {
                boolean takeLeft = right == to || (left < middle && compare(chunks, source[left], source[right]) <= 0);
                target[at] = takeLeft ? source[left++] : source[right++];
            }
        }
    }
}
