package dev.weir.bench;

import java.util.List;

/**
 * One benchmark of {@code ./weir bench}. Implementations are found by {@link java.util.ServiceLoader}, need a public
 * constructor without arguments, and must not leave processes, threads or files behind.
 */
public interface Benchmark {

    /** The name on the command line and in file names: lower-case letters, digits and hyphens. */
    String name();

    /** One line for {@code ./weir bench --list}. */
    String description();

    /**
     * Measures, and gives the rows of the table in the order to show them. Figures go to {@link BenchmarkContext#draw}. Called
     * once, from one thread. Ratios between two ways are taken side by side in one run, since absolute times drift.
     *
     * @throws Exception when it cannot be measured; the other benchmarks still run, and the command fails at its end
     */
    List<Row> run(BenchmarkContext context) throws Exception;
}
