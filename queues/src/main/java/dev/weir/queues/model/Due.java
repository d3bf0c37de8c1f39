package dev.weir.queues.model;

/**
 * An item at a time.
 *
 * @param at in milliseconds since 1970
 */
public record Due(long at, long number) implements Comparable<Due> {

    @Override
    public int compareTo(Due other) {
        return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
    }
}
