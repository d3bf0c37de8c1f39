package dev.weir.cli.client;

import dev.weir.cli.console.Printable;
import java.util.ArrayList;
import java.util.List;

/** Names and values below each other. */
final class Fields {

    private static final int NAME_WIDTH = 12;

    private final List<String> lines = new ArrayList<>();

    /** Adds a line, unless the value is empty or a dash. */
    Fields add(String name, String value) {
        if (!value.isEmpty() && !value.equals("-")) {
            lines.add(String.format("%-" + NAME_WIDTH + "s%s", name, Printable.line(value)));
        }
        return this;
    }

    List<String> lines() {
        return lines;
    }
}
