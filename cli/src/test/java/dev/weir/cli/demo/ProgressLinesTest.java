package dev.weir.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.TaskState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final DemoTask task = TestTasks.task("count", 10, 1);
    private Instant now = Instant.EPOCH;

    @Test
    void aLineIsPrintedWhenSomethingChangedAndTheLastOneIsOldEnough() {
        try (ProgressView view = new ProgressLines(new PrintStream(written, true, UTF_8), clock())) {
            view.show(List.of(progress(1, null)));
            view.show(List.of(progress(2, null)));
            now = now.plusSeconds(10);
            view.show(List.of(progress(3, null)));
            now = now.plusSeconds(10);
            view.show(List.of(progress(3, null)));
            view.show(List.of(progress(10, TaskState.CLOSED)));
        }
        assertThat(written.toString(UTF_8).lines()).containsExactly("count 1/10", "count 3/10", "count 10/10 closed");
    }

    @Test
    void theEndIsAlwaysPrinted() {
        try (ProgressView view = new ProgressLines(new PrintStream(written, true, UTF_8), clock())) {
            view.show(List.of(progress(8, null)));
            view.show(List.of(progress(9, null)));
            view.show(List.of(progress(10, TaskState.CLOSED)));
        }
        assertThat(written.toString(UTF_8).lines()).containsExactly("count 8/10", "count 10/10 closed");
    }

    private Progress progress(int ended, TaskState state) {
        return new Progress(task, ended, state, null, null);
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }
}
