package dev.weir.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * How wide the terminal is, also after somebody has resized it. The progress bars could find that out for themselves, but would set
 * the signals of the process to their defaults by it, and Ctrl-C would end the demo on the spot instead of stopping it in order.
 */
final class ConsoleWidth implements AutoCloseable {

    private static final int UNKNOWN = 80;

    private final Terminal terminal;

    ConsoleWidth() {
        try {
            terminal = TerminalBuilder.builder().dumb(true).nativeSignals(false).build();
        } catch (IOException e) {
            throw new UncheckedIOException("the terminal cannot be asked for its width: " + e.getMessage(), e);
        }
    }

    /** In characters. */
    int columns() {
        int width = terminal.getWidth();
        return width > 0 ? width : UNKNOWN;
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException e) {
            // Nothing was changed that would have to be set back.
        }
    }
}
