package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.pilot.storage.Storage;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogTest {

    @TempDir
    Path temp;

    private final AtomicLong nanos = new AtomicLong();
    private final Watchdog watchdog = new Watchdog(nanos::get);

    @Test
    void aStepHangsWhenItIsNotOverLongAfterItsLimit() {
        watchdog.begin("one", Duration.ofSeconds(10));
        pass(Duration.ofSeconds(10).plus(Watchdog.SLACK));
        assertThat(watchdog.hanging()).isNull();
        pass(Duration.ofSeconds(1));
        assertThat(watchdog.hanging()).isEqualTo("one is not over after 310 s");
        watchdog.begin("two", Duration.ZERO);
        assertThat(watchdog.hanging()).isNull();
        pass(Watchdog.SLACK.plusSeconds(1));
        assertThat(watchdog.hanging()).isEqualTo("two is not over after 300 s");
        watchdog.end();
        assertThat(watchdog.hanging()).isNull();
    }

    /** Whatever calls out during an attempt lets so much time pass that the step can only hang. */
    @Test
    void everyStepOfAnAttemptIsWatched() throws IOException {
        TestJobs jobs = new TestJobs(temp);
        jobs.program("upper", "tr a-z A-Z < \"$1\"");
        Job job = jobs.job("j1", "upper", "{file_in}");
        RunSettings settings = jobs.settings();
        List<String> hanging = new ArrayList<>();
        Runnable hang = () -> {
            assertThat(watchdog.hanging()).isNull();
            pass(settings.transferTimeout().plusSeconds(job.timeoutS()).plus(Watchdog.SLACK));
            hanging.add(watchdog.hanging());
        };
        Storage storage = new Storage() {
            @Override
            public Set<String> schemes() {
                return Set.of("file");
            }

            @Override
            public void fetch(String url, Path target, long maxBytes) throws IOException {
                hang.run();
                Files.writeString(target, "input");
            }

            @Override
            public void store(Path source, String url) {
                hang.run();
            }
        };
        Executables executables = new Executables(settings.executables());
        Storages storages = new Storages(List.of(storage));
        Attempt attempt =
                new Attempt(job, "p", "cpu", "p", executables, storages, settings, new StopSignal(), watchdog);
        attempt.run(jobs.work(), hang);
        attempt.clear(true);
        assertThat(hanging)
                .satisfiesExactly(
                        step -> assertThat(step).startsWith("fetching " + job.fileInUrl()),
                        step -> assertThat(step).startsWith("the program"),
                        step -> assertThat(step).startsWith("the upload of the output"),
                        step -> assertThat(step).startsWith("the upload of the log"));
        pass(settings.transferTimeout().plus(Watchdog.SLACK).plusSeconds(1));
        assertThat(watchdog.hanging()).startsWith("the removal of its files");
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
