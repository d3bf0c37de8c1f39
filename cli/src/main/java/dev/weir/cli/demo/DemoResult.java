package dev.weir.cli.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of the demo.
 *
 * @param timedOut whether it exceeded its time limit
 */
public record DemoResult(List<Row> rows, Summary summary, boolean timedOut) {

    /** Whether every task closed, every file has exactly one outcome, and all outputs exist. */
    public boolean isGood() {
        return !timedOut && rows.stream().allMatch(Row::isGood);
    }

    /** The table. */
    public List<String> table() {
        return ResultTable.lines(rows);
    }

    /** The problems, one per line; empty if there are none. */
    public List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (Row row : rows) {
            Progress progress = row.progress();
            String name = "task " + progress.task().name() + ": ";
            Outcome outcome = row.outcome();
            if (!progress.isOver()) {
                complaints.add(name + "still " + progress.word() + " at the time limit; " + progress.ended() + " of "
                        + progress.task().jobs() + " jobs had ended");
            } else if (!progress.isClosed()) {
                complaints.add(name + progress.word() + (progress.reason() == null ? "" : ": " + progress.reason()));
            } else if (!outcome.isSound()) {
                complaints.add(name + outcome.lost() + " lost, " + outcome.duplicates() + " duplicates, "
                        + outcome.missing().size() + " files only in the catalogue");
            } else if (!row.isGood()) {
                complaints.add(name + "Weir counts " + progress.counts() + ", the catalogue " + outcome);
            }
        }
        return complaints;
    }
}
