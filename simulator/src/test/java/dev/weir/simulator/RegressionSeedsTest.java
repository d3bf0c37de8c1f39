package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeds that found a bug in the core, or in the simulator where it says so, each with what it was. */
class RegressionSeedsTest {

    @ParameterizedTest(name = "seed {0}: {1}")
    @CsvSource({
        "28, cancelled was told after closed when the cancel itself ended the last job",
        "1757, a pilot heard again in the millisecond in which it expired had two rows of one version",
        "1095, two nodes under probation waited for each other's probe job for ever",
        "1324, a claim that stopped its task left the loop over the other claims without them",
        "2584, the ledger did not know that a job lost by an excluded pilot can cancel its task (simulator)",
        "4669, a pilot was forgotten with its include, and an older exclude that came late kept it from work for ever",
        "5137, the ledger freed the place of a cancelled queued job at a report of an attempt before (simulator)",
        "8080, a command that had waited in vain for its task and was rejected acted when it came a second time",
        "8437, the ledger compared the counts of a stopped task with those after a further job had been lost (simulator)",
        "12475, a retried job that was cancelled before its next attempt showed the output that it had registered as missing",
        "18001, a task whose dataset was wrong ended as closed because it was closed by command before its last job ended",
        "28727, a resumed task got no slot for the files that it had read while DSM did not answer for more",
        "11908, a retry that had waited for its task missed the jobs that were found to have failed in the same event",
        "7663, the ledger counted what was taken up in one event in another order than it happened (simulator)",
        "1921, a cancelled queued job kept its place in the window although a pilot had started it",
        "16234, the mirror showed a job at work for ever that was retried by command in a forgotten time and then cancelled",
        "20736, the same of a job that cooled off, whose task was closed",
        "27808, a Merge task read no further when its jobs were adopted out of order and some were over before a restore",
        "21198, a report about a Merge job of a forgotten page was refused once its task had been cancelled",
        "18391, and its pilot was not told to stop",
        "165, a job of a cancelled task went on when a pilot that may take nothing had reported an attempt of it in between",
        "239, a task whose files were all adopted while it waited took a place among the active tasks and could not use it",
        "535, a lost pilot was forgotten before its job was lost, and the failure did not count against its node",
        "89, pilots at a node that was set aside before a restart did not hear that its time was over",
        "605, files waited for a group whose window of starts had opened more than once while their pool was full",
        "11814, a place of a group was kept for files of a task without a slot, which could only try again what it had begun",
        "7804, the row of an output that a lost attempt made was no newer than the one that said it was missing",
        "27182, the ledger took a Merge job for whole that its dataset, smaller than DSM had said, never filled (simulator)",
        "35128, the ledger did not count a pilot that only its jobs tell of as a node set aside in its pool (simulator)",
        "32536, the ledger did not know that tasks leave the ring while their pool has no pilots and groups are limited (simulator)",
        "40974, the ledger gave a place to a Merge task for a job that DSM had said to have more files (simulator)",
        "47286, the ledger did not know that a task keeps its place that waits for files which are not there (simulator)",
        "49724, the ledger put a close before what failed earlier and cancelled its task, when both had waited for it (simulator)",
        "57020, the ledger took a page for a Merge task that had been cancelled before it came (simulator)",
        "53964, the ledger did not know that a silent pilot's exclusion outlives what the core knew of its node (simulator)",
        "69295, the ledger did not know that a task waits for a slot to read files that are not there (simulator)",
        "2778, a job was adopted for a pilot at a node that was set aside, because it was forgotten and heard only afterwards",
    })
    void isRightNow(long seed, String bug) {
        assertThat(Simulation.run(seed).violation()).as(bug).isNull();
    }
}
