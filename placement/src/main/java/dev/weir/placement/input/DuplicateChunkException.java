package dev.weir.placement.input;

/** Two chunks have the same {@code dataset/id}, so that it would be unclear which one a worker holds. */
public final class DuplicateChunkException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int first;
    private final int second;

    DuplicateChunkException(String name, int first, int second) {
        super("chunk '" + name + "' is there twice");
        this.first = first;
        this.second = second;
    }

    /** When the first of the two was added, counted from 0. */
    public int first() {
        return first;
    }

    /** When the second of the two was added, counted from 0. */
    public int second() {
        return second;
    }
}
