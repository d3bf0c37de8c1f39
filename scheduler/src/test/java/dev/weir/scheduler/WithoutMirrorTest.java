package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows are for readers: without them the scheduler decides and remembers the same. */
class WithoutMirrorTest {

    private static Lab lab(boolean mirror) {
        return new Lab(SchedulerOptions.defaults()
                .withMirror(new MirrorOptions(mirror, Duration.ofSeconds(1)))
                .withPool("cpu", PoolOptions.defaults().withWindow(4)));
    }

    private static Lab lived(Lab lab, boolean restarts) {
        lab.dataset("in", 30)
                .task(Lab.task("t", "in").retry(2).build())
                .task(Lab.task("u", "in").rank(3).autoCancel(false).build());
        int done = 0;
        for (Job job = lab.take(); job != null; job = lab.take()) {
            if (restarts && done % 5 == 0) {
                lab.restore(lab.store);
            }
            lab.starting("p", job).running("p", job);
            if (done % 3 == 0) {
                lab.failed("p", job);
            } else {
                lab.finished("p", job);
            }
            if (done == 10 || done == 15) {
                lab.command(done == 10 ? Command.Type.PAUSE : Command.Type.RESUME, "t");
            }
            if (done == 25) {
                lab.command(Command.Type.CANCEL, "u");
            }
            lab.settle().pass(30_000);
            done++;
        }
        return lab.pass(600_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSameIsDoneAndTheSameIsRegistered(boolean restarts) {
        Lab without = lived(lab(false), restarts);
        Lab with = lived(lab(true), restarts);

        assertThat(without.taskRows).isEmpty();
        assertThat(without.jobRows).isEmpty();
        assertThat(without.jobs).isEqualTo(with.jobs);
        assertThat(without.registrations).isEqualTo(with.registrations);
        assertThat(without.events).isEqualTo(with.events);
        assertThat(without.states("t")).last().isEqualTo("closed");
    }
}
