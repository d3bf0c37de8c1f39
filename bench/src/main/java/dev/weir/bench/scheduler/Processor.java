package dev.weir.bench.scheduler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Processor time of the measured thread. Other load on the machine distorts it less than wall time. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Processor {

    /** Processor time between {@link #start} and {@link #stop}, in nanoseconds. */
    public long nanos;

    /** Operations in that time. */
    public long operations;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long startedAt;

    void start() {
        startedAt = threads.getCurrentThreadCpuTime();
    }

    void stop(long done) {
        nanos += threads.getCurrentThreadCpuTime() - startedAt;
        operations += done;
    }
}
