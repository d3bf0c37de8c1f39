package dev.weir.cli.demo;

import java.io.PrintStream;
import java.time.Clock;
import java.util.List;

/** Shows the progress of the tasks while they run. */
interface ProgressView extends AutoCloseable {

    void show(List<Progress> tasks);

    @Override
    void close();

    /** Moving bars on a terminal; otherwise a line every few seconds. */
    static ProgressView on(PrintStream out, boolean terminal) {
        return terminal ? new ProgressBars(out) : new ProgressLines(out, Clock.systemUTC());
    }
}
