package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.state.Chunk;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that failed for good wait in state, apart from those that live, for a command that tries them again. */
class FailedJobsTest {

    private final Lab lab = Lab.withDefaults();
    private Job failed;

    @BeforeEach
    void oneOfTwoMergeJobsFails() {
        lab.dataset("in", 6).task(Lab.task("t", "in").merge(3).keepOpenS(600).build());
        failed = lab.take();
        lab.run("p", lab.take()).starting("p", failed).failed("p", failed).settle();
    }

    private List<String> keys(Table<?> table) {
        List<String> keys = new ArrayList<>();
        lab.store.forEach(table, (key, value) -> keys.add(key));
        return keys;
    }

    private void assertTriedAgainAndForgotten() {
        lab.command(Command.Type.RETRY_FAILED, "t");
        Job again = lab.take();
        assertThat(again.uid()).isEqualTo(failed.uid());
        assertThat(again.fileInUrls()).hasSize(3).isEqualTo(failed.fileInUrls());
        lab.run("p", again);

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.taskRows.get("t").counts().finished()).isEqualTo(2);
        assertThat(keys(Tables.JOB)).isEmpty();
        assertThat(keys(Tables.FAILED_JOB)).isEmpty();
        assertThat(keys(Tables.FAILED_INPUTS)).isEmpty();
        assertThat(keys(Tables.CHUNK)).isEmpty();
    }

    @Test
    void aMergeJobKeepsItsFilesOverARestart() {
        lab.restore(lab.store.snapshot());

        assertTriedAgainAndForgotten();
    }

    @Test
    void aMergeJobThatFailsASecondTimeKeepsItsFiles() {
        lab.command(Command.Type.RETRY_FAILED, "t");
        Job again = lab.take();
        lab.restore(lab.store.snapshot());
        lab.starting("p", again).failed("p", again).settle();

        assertTriedAgainAndForgotten();
    }

    @Test
    void whatAnEarlierVersionLeftAmongTheLiveJobsIsTriedAgain() {
        Map<String, JobRecord> records = new HashMap<>();
        lab.store.forEach(Tables.FAILED_JOB, records::put);
        Map<String, Chunk> inputs = new HashMap<>();
        lab.store.forEach(Tables.FAILED_INPUTS, inputs::put);
        records.forEach((uid, record) -> {
            lab.store.put(Tables.JOB, uid, record);
            lab.store.put(Tables.CHUNK, Tables.key("t", record.position), inputs.get(uid));
            lab.store.remove(Tables.FAILED_JOB, uid);
            lab.store.remove(Tables.FAILED_INPUTS, uid);
        });
        assertThat(keys(Tables.CHUNK)).hasSize(1);
        lab.restore(lab.store.snapshot());

        assertTriedAgainAndForgotten();
    }

    @Test
    void aDamagedRecordIsDroppedAndSaidAndItsTaskCloses() {
        lab.store.damage(Tables.FAILED_JOB, failed.uid(), new byte[] {1, -1, -1});
        lab.scheduler = new Scheduler(lab.options, lab.store);
        lab.audited = false;
        lab.catchUp().command(Command.Type.RETRY_FAILED, "t");
        lab.audited = true;
        assertThat(lab.take()).isNull();
        assertThat(lab.scheduler.takeProblems())
                .anyMatch(said -> said.contains(failed.uid()) && said.contains("stays failed"));
        lab.settle().pass(1_000_000);

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(keys(Tables.FAILED_INPUTS)).isEmpty();
    }
}
