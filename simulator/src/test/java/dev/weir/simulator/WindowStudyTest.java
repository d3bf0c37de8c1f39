package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulator.window.WindowStudy;
import dev.weir.simulator.window.WindowStudy.Load;
import dev.weir.simulator.window.WindowStudy.Result;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The automatic window in virtual time; {@code docs/SIMULATION.md} has the whole table. */
class WindowStudyTest {

    @Test
    void pilotsAreIdleForLessThanOnePercentOfTheirTimeWithJobsOfASecond() {
        Result result = WindowStudy.run(new Load("1 s", List.of(1_000L), 50, 1, false, 120_000), 1);

        assertThat(result.idleShare()).isLessThan(0.01);
        assertThat(result.meanQueued()).isLessThan(50);
    }

    @Test
    void pilotsAreIdleForLessThanOnePercentOfTheirTimeWithJobsOfVeryDifferentLength() {
        Result result = WindowStudy.run(
                new Load(
                        "mixed",
                        List.of(1_000L, 10_000L, 60_000L, 600_000L, 3_600_000L),
                        100,
                        1,
                        false,
                        4 * 3_600_000L),
                1);

        assertThat(result.idleShare()).isLessThan(0.01);
        assertThat(result.meanQueued()).isLessThan(100);
    }

    @Test
    void pilotsThatComeAndGoAreIdleForLessThanOnePercentOfTheirTime() {
        Result result = WindowStudy.run(new Load("come and go", List.of(1_000L, 10_000L), 50, 1, true, 1_800_000), 1);

        assertThat(result.idleShare()).isLessThan(0.01);
        assertThat(result.meanQueued()).isLessThan(50);
    }

    /** Of pilots that work for another lane a lane knows nothing, and its part of the window may be too small for those that are left. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aLaneKeepsThePilotsBusyThatAnotherOneDoesNotNeed(int tasks) {
        Result result = WindowStudy.run(
                new Load("lanes", Collections.nCopies(tasks, 600_000L), 100, 2, false, 4 * 3_600_000L), 1);

        assertThat(result.idleShare()).isLessThan(0.01);
        assertThat(result.meanQueued()).isLessThan(100);
    }

    @Test
    void pilotsWithJobsOfTenMillisecondsLoseWhatTheHandoverTakesAndLittleMore() {
        Result result = WindowStudy.run(new Load("10 ms", List.of(10L), 40, 1, false, 10_000), 1);

        assertThat(result.idleShare()).isLessThan(result.handoverShare() + 0.05);
    }
}
