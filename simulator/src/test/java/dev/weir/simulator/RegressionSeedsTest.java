package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeds that found a bug in the core, each with what it was. */
class RegressionSeedsTest {

    @ParameterizedTest(name = "seed {0}: {1}")
    @CsvSource({
        "28, cancelled was told after closed when the cancel itself ended the last job",
        "1095, two nodes under probation waited for each other's probe job for ever",
        "8080, a command that had waited in vain for its task and was rejected acted when it came a second time",
        "11908, a retry that had waited for its task missed the jobs that were found to have failed in the same event",
        "1921, a cancelled queued job kept its place in the window although a pilot had started it",
        "16234, the mirror showed a job at work for ever that was retried by command in a forgotten time and then"
                + " cancelled",
        "27808, a Merge task read no further when its jobs were adopted out of order and some were over before a"
                + " restore",
        "21198, a report about a Merge job of a forgotten page was refused once its task had been cancelled",
        "18391, and its pilot was not told to stop",
        "239, a task whose files were all adopted while it waited took a place among the active tasks and could not"
                + " use it",
        "89, pilots at a node that was set aside before a restart did not hear that its time was over",
        "605, files waited for a group whose window of starts had opened more than once while their pool was full",
        "7804, the row of an output that a lost attempt made was no newer than the one that said it was missing",
        "2778, a job was adopted for a pilot at a node that was set aside, because it was forgotten and heard only"
                + " afterwards",
    })
    void isRightNow(long seed, String bug) {
        assertThat(Simulation.run(seed).violation()).as(bug).isNull();
    }
}
