package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.options.QueueOptions;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.junit.jupiter.api.Test;

class SubmissionTest {

    private final Configuration settings = new Configuration().set(StateRecoveryOptions.SAVEPOINT_PATH, "file:/one");

    /** What the job's program gets to know of it. */
    private String named(WeirJob job, boolean alone) {
        String prefix = StateRecoveryOptions.SAVEPOINT_PATH.key() + "=";
        List<String> found = Submission.arguments(settings, job, StartFrom.NEWEST, false, alone).stream()
                .filter(argument -> argument.startsWith(prefix))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0).substring(prefix.length());
    }

    @Test
    void theSavepointThatFlinkNamesIsForTheScheduleJobOrForTheOnlyOneThatIsSubmitted() {
        assertThat(named(WeirJob.SCHEDULE, false)).isEqualTo("file:/one");
        assertThat(named(WeirJob.QUEUES, false)).isEmpty();
        assertThat(named(WeirJob.MIRROR, false)).isEmpty();
        assertThat(named(WeirJob.QUEUES, true)).isEqualTo("file:/one");
    }

    @Test
    void aMirrorThatCannotStartKeepsNoOtherJobFromItsStart() {
        assertThat(WeirJob.of(settings.set(QueueOptions.ENABLED, true)))
                .containsExactly(WeirJob.SCHEDULE, WeirJob.QUEUES, WeirJob.MIRROR);
    }
}
