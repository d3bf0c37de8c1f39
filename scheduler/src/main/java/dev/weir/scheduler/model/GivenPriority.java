package dev.weir.scheduler.model;

/**
 * A priority that a waiting file was given by command.
 *
 * @param at when the command was given, in milliseconds since 1970: an older one that comes late does not override it
 */
public record GivenPriority(int priority, long at) {

    /** As it stands in state. */
    @Override
    public String toString() {
        return priority + " " + at;
    }

    /** What {@link #toString} gave; a priority without a time is from before times were kept. */
    public static GivenPriority parse(String text) {
        int space = text.indexOf(' ');
        return space < 0
                ? new GivenPriority(Integer.parseInt(text), 0)
                : new GivenPriority(
                        Integer.parseInt(text, 0, space, 10), Long.parseLong(text, space + 1, text.length(), 10));
    }
}
