package dev.weir.cli.console;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text that programs and people elsewhere wrote, without what a terminal would obey: escape sequences, and marks that turn the direction of
 * writing. Each such character becomes a question mark, or in JSON an escape.
 */
public final class Printable {

    private static final Pattern SPACE = Pattern.compile("\\s");
    private static final Pattern CONTROL = Pattern.compile("\\p{C}");
    private static final Pattern LINE_END = Pattern.compile("\\r\\n?");
    private static final Pattern CONTROL_IN_LINES = Pattern.compile("[\\p{C}&&[^\\n\\t]]");

    private Printable() {}

    /** JSON of the same meaning, with escapes for what may stand in its strings and a terminal would obey. */
    public static String json(String json) {
        return CONTROL_IN_LINES
                .matcher(json)
                .replaceAll(found -> found.group()
                        .chars()
                        .mapToObj(unit -> String.format("\\\\u%04x", unit))
                        .collect(Collectors.joining()));
    }

    /** As one line: line breaks and tabs become blanks. */
    public static String line(String text) {
        return CONTROL.matcher(SPACE.matcher(text).replaceAll(" ")).replaceAll("?");
    }

    /** With its lines and tabs. A line does not cover the one before it: a carriage return ends a line as well. */
    public static String lines(String text) {
        return CONTROL_IN_LINES.matcher(LINE_END.matcher(text).replaceAll("\n")).replaceAll("?");
    }
}
