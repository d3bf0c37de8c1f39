package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulator.window.WindowStudy;
import dev.weir.simulator.window.WindowStudy.Change;
import dev.weir.simulator.window.WindowStudy.Load;
import dev.weir.simulator.window.WindowStudy.Result;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The automatic window in virtual time; {@code docs/SIMULATION.md} has the whole table. */
class WindowStudyTest {

    private static final long LONG_ENOUGH_MILLIS = 1_000;

    static Stream<Load> loadsOfASecondAndMore() {
        return WindowStudy.loads().stream().filter(load -> Collections.min(load.jobMillis()) >= LONG_ENOUGH_MILLIS);
    }

    @ParameterizedTest
    @MethodSource("loadsOfASecondAndMore")
    void pilotsAreIdleForLessThanOnePercentOfTheirTimeWithJobsOfASecondAndMoreAndTheQueueIsShort(Load load) {
        Result result = WindowStudy.run(load, 1);

        assertThat(result.idleShare()).isLessThan(0.01);
        int spare = (int) Math.ceil(2 * Math.sqrt(load.pilots()));
        assertThat(result.maxQueued()).as("jobs in the queue, at most").isLessThanOrEqualTo(load.lanes() * (spare + 1));
    }

    /** Of pilots that work for another lane a lane knows nothing, and its part of the window may be too small for those that are left. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aLaneKeepsThePilotsBusyThatAnotherOneDoesNotNeed(int tasks) {
        Result result = WindowStudy.run(
                new Load("lanes", Collections.nCopies(tasks, 600_000L), 100, 2, Change.NONE, 4 * 3_600_000L), 1);

        assertThat(result.idleShare()).isLessThan(0.01);
        assertThat(result.meanQueued()).isLessThan(100);
    }

    @Test
    void pilotsWithJobsOfTenMillisecondsLoseWhatTheHandoverTakesAndLittleMore() {
        Result result = WindowStudy.run(new Load("10 ms", List.of(10L), 40, 1, Change.NONE, 10_000), 1);

        assertThat(result.idleShare()).isLessThan(result.handoverShare() + 0.05);
    }
}
