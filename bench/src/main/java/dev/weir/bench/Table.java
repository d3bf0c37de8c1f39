package dev.weir.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results as text that fits a terminal: what | measured | goal | met or missed. Long names are wrapped, never cut. */
public final class Table {

    private static final int NARROWEST_NAME = 24;

    private final int columns;

    /** @param columns maximum width of a line in characters; names stay readable on a very narrow terminal */
    Table(int columns) {
        this.columns = columns;
    }

    String render(List<Outcome> outcomes) {
        List<String[]> cells = new ArrayList<>();
        cells.add(new String[] {"what", "measured", "goal", ""});
        for (Outcome outcome : outcomes) {
            cells.add(new String[] {
                outcome.name()
                        + outcome.failure().map(why -> " (failed: " + why + ")").orElse(""),
                "",
                "",
                ""
            });
            for (Row row : outcome.rows()) {
                cells.add(
                        new String[] {"  " + row.what(), figure(row.measured(), row.unit()), goal(row), row.verdict()});
            }
        }
        int[] widths = new int[4];
        for (String[] line : cells) {
            for (int column = 0; column < 4; column++) {
                widths[column] = Math.max(widths[column], line[column].length());
            }
        }
        int separators = 3 * " | ".length();
        int room = columns - separators - widths[1] - widths[2] - widths[3];
        widths[0] = Math.min(widths[0], Math.max(NARROWEST_NAME, room));

        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            appendLine(text, cells.get(i), widths);
            if (i == 0) {
                text.append("-".repeat(widths[0] + separators + widths[1] + widths[2] + widths[3]))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static void appendLine(StringBuilder text, String[] line, int[] widths) {
        List<String> name = wrap(line[0], widths[0]);
        for (int i = 0; i < name.size(); i++) {
            boolean first = i == 0;
            String full = String.format(
                    "%-" + widths[0] + "s | %" + widths[1] + "s | %" + widths[2] + "s | %s",
                    name.get(i),
                    first ? line[1] : "",
                    first ? line[2] : "",
                    first ? line[3] : "");
            text.append(full.stripTrailing()).append('\n');
        }
    }

    private static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > width) {
            int space = rest.lastIndexOf(' ', width);
            int indent = 4;
            int cut = space > indent ? space : width;
            lines.add(rest.substring(0, cut));
            rest = " ".repeat(indent) + rest.substring(cut).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    private static String goal(Row row) {
        return row.goal()
                .map(goal -> goal.direction().sign() + " " + figure(goal.bound(), row.unit()))
                .orElse("");
    }

    /** A whole number with its thousands grouped. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A figure with its significant digits: thousands grouped, otherwise about four digits. Less than 0.0005 is shown as 0. */
    static String figure(double value, String unit) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.01 ? 4 : size >= 0.0005 ? 7 : 3;
        String digits = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        if (digits.indexOf('.') >= 0) {
            digits = digits.replaceAll("0+$", "").replaceAll("\\.$", "");
        }
        return unit.isEmpty() ? digits : digits + " " + unit;
    }
}
