package dev.weir.cli.demo;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** One line with all tasks every few seconds and one at the end: for log files and pipes. */
final class ProgressLines implements ProgressView {

    private static final Duration PAUSE = Duration.ofSeconds(3);

    private final PrintStream out;
    private final Clock clock;
    private Instant next = Instant.MIN;
    private String latest = "";
    private String printed = "";

    ProgressLines(PrintStream out, Clock clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public void show(List<Progress> tasks) {
        latest = line(tasks);
        if (!clock.instant().isBefore(next)) {
            print();
        }
    }

    private void print() {
        if (latest.equals(printed)) {
            return;
        }
        out.println(latest);
        printed = latest;
        next = clock.instant().plus(PAUSE);
    }

    private static String line(List<Progress> tasks) {
        return tasks.stream()
                .map(progress -> progress.task().name() + " " + progress.ended() + "/"
                        + progress.task().jobs() + (progress.isOver() ? " " + progress.word() : ""))
                .collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        print();
        out.flush();
    }
}
