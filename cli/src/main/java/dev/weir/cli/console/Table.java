package dev.weir.cli.console;

import java.util.ArrayList;
import java.util.List;

/** Rows of text under headings. Columns are as wide as their longest cell; numbers stand at the right; the last column takes what is left. */
public final class Table {

    private static final String GAP = "  ";
    private static final int LEAST_LAST = 20;

    private final List<String> heads;
    private final boolean[] isNumber;
    private final List<List<String>> rows = new ArrayList<>();

    /** @param heads names of columns; one that begins with {@code #} is a column of numbers */
    public Table(String... heads) {
        this.heads = new ArrayList<>();
        isNumber = new boolean[heads.length];
        for (int i = 0; i < heads.length; i++) {
            isNumber[i] = heads[i].startsWith("#");
            this.heads.add(isNumber[i] ? heads[i].substring(1) : heads[i]);
        }
    }

    /** Adds a row; what a terminal would obey or not show is replaced. */
    public Table row(String... cells) {
        if (cells.length != heads.size()) {
            throw new IllegalArgumentException("a row of " + cells.length + " cells under " + heads.size() + " heads");
        }
        List<String> row = new ArrayList<>();
        for (String cell : cells) {
            row.add(Printable.line(cell));
        }
        rows.add(row);
        return this;
    }

    /** The lines at their full width, the headings first. */
    public List<String> lines() {
        return lines(Integer.MAX_VALUE);
    }

    /**
     * The lines, the headings first.
     *
     * @param width characters of a line; the last column is shortened to it, but not below 20 characters
     */
    public List<String> lines(int width) {
        int[] widths = new int[heads.size()];
        List<List<String>> all = new ArrayList<>();
        all.add(heads);
        all.addAll(rows);
        for (List<String> line : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        int before = 0;
        for (int i = 0; i < widths.length - 1; i++) {
            before += widths[i] + GAP.length();
        }
        int last = widths.length - 1;
        widths[last] = Math.min(widths[last], Math.max(LEAST_LAST, width - before));
        return all.stream().map(line -> line(line, widths)).toList();
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            if (cell.length() > widths[i]) {
                cell = cell.substring(0, widths[i] - 1) + "…";
            }
            String space = " ".repeat(widths[i] - cell.length());
            text.append(isNumber[i] ? space + cell : cell + space).append(GAP);
        }
        return text.toString().stripTrailing();
    }
}
