package dev.weir.queues.api;

/**
 * The limit groups of items, in numbers.
 *
 * @param known groups that items or workers are in, that have a limit, or that are held
 * @param sets sets of groups in which items of one owner and kind wait
 * @param held groups in which nothing starts for now, because a worker said so
 * @param inFlight items that workers have, counted in each of their groups
 */
public record GroupNumbers(long known, long sets, long held, long inFlight) {

    public static final GroupNumbers NONE = new GroupNumbers(0, 0, 0, 0);

    /** With those of another lane. */
    public GroupNumbers plus(GroupNumbers other) {
        return new GroupNumbers(known + other.known, sets + other.sets, held + other.held, inFlight + other.inFlight);
    }
}
