package dev.weir.cli.demo;

import java.util.List;

/**
 * The numbers of the demo, as {@code --json} prints them.
 *
 * @param jobs ended jobs
 * @param retries attempts beyond the first, for any reason
 * @param lost input files without an outcome
 * @param duplicates further outcomes of a file
 * @param seconds from the sending of the first task to the close of the last
 */
record Summary(
        int tasks,
        int closed,
        int jobs,
        int finished,
        int failed,
        long retries,
        int lost,
        int duplicates,
        double seconds) {

    static Summary of(List<Row> rows, double seconds) {
        int closed = 0;
        int finished = 0;
        int failed = 0;
        int lost = 0;
        int duplicates = 0;
        long retries = 0;
        for (Row row : rows) {
            closed += row.progress().isClosed() ? 1 : 0;
            finished += row.outcome().finished();
            failed += row.outcome().failed();
            lost += row.outcome().lost();
            duplicates += row.outcome().duplicates();
            retries += row.retries();
        }
        return new Summary(
                rows.size(), closed, finished + failed, finished, failed, retries, lost, duplicates, seconds);
    }
}
