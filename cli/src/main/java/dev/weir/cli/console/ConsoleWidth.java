package dev.weir.cli.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * The width of the terminal, also after it was resized. The progress bars could read it themselves, but that resets
 * the signal handlers of the process, and Ctrl-C would end the demo at once instead of stopping it in order.
 */
public final class ConsoleWidth implements AutoCloseable {

    private static final int UNKNOWN = 80;
    /** The width is cached, because reading it starts a process, and each bar reads it whenever it is drawn. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Terminal terminal;
    private int columns;
    private long askedNanos;

    public ConsoleWidth() {
        try {
            terminal = TerminalBuilder.builder().dumb(true).nativeSignals(false).build();
        } catch (IOException e) {
            throw new UncheckedIOException("the width of the terminal cannot be read: " + e.getMessage(), e);
        }
    }

    /** In characters. */
    public synchronized int columns() {
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
            // Nothing was changed, so nothing must be restored.
        }
    }
}
