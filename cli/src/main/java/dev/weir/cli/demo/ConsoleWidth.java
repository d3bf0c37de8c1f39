package dev.weir.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * How wide the terminal is, also after somebody has resized it. The progress bars could find that out for themselves, but would set
 * the signals of the process to their defaults by it, and Ctrl-C would end the demo on the spot instead of stopping it in order.
 */
final class ConsoleWidth implements AutoCloseable {

    private static final int UNKNOWN = 80;
    /** Whoever asks starts a process for it, and each bar asks each time that it is drawn. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Terminal terminal;
    private int columns;
    private long askedNanos;

    ConsoleWidth() {
        try {
            terminal = TerminalBuilder.builder().dumb(true).nativeSignals(false).build();
        } catch (IOException e) {
            throw new UncheckedIOException("the terminal cannot be asked for its width: " + e.getMessage(), e);
        }
    }

    /** In characters. */
    synchronized int columns() {
        long now = System.nanoTime();
        if (columns == 0 || now - askedNanos > KEPT_NANOS) {
            int width = terminal.getWidth();
            columns = width > 0 ? width : UNKNOWN;
            askedNanos = now;
        }
        return columns;
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
