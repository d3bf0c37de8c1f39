package dev.weir.cli.demo;

import java.io.PrintStream;
import java.time.Clock;
import java.util.List;

/** Shows how far the tasks are while they run. */
interface ProgressView extends AutoCloseable {

    void show(List<Progress> tasks);

    @Override
    void close();

    /** Bars that move on a terminal; elsewhere a line now and then. */
    static ProgressView on(PrintStream out, boolean terminal) {
        return terminal ? new ProgressBars(out) : new ProgressLines(out, Clock.systemUTC());
    }
}
