package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.DeviceType;
import dev.weir.protocol.TaskState;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTableTest {

    private final DemoTask count = TestTasks.task("count", 10, 1);
    private final DemoTask gpu = TestTasks.task("fingerprint", 7, 0, DeviceType.GPU);

    @Test
    void everyTaskHasALineAndNumbersStandToTheRight() {
        List<String> lines = ResultTable.lines(List.of(
                row(count, 9, 1, new Outcome(9, 1, 0, 0, List.of()), 0.5333),
                row(gpu, 7, 0, new Outcome(7, 0, 0, 0, List.of()), null)));

        assertThat(lines)
                .containsExactly(
                        "task         pool  rank  files  finished  failed  retries  jobs  weight  state",
                        "count        cpu      4     10         9       1        3  53.3    50.0  closed",
                        "fingerprint  gpu      4      7         7       0        3     -       -  closed",
                        "(jobs: % of the pool while all its tasks had waiting files; weight: expected %)",
                        "",
                        "count        /data/out",
                        "fingerprint  /data/out");
    }

    @Test
    void theSummaryAddsUpTheLines() {
        List<Row> rows = List.of(
                row(count, 9, 1, new Outcome(9, 1, 0, 0, List.of()), 0.5),
                row(gpu, 7, 0, new Outcome(5, 0, 2, 1, List.of()), null));
        assertThat(Summary.of(rows, 12.5)).isEqualTo(new Summary(2, 2, 15, 14, 1, 6, 2, 1, 12.5));
    }

    @Test
    void aTaskIsGoodOnlyIfWeirsCountsEqualTheFiles() {
        assertThat(row(count, 9, 1, new Outcome(9, 1, 0, 0, List.of()), 0.5).isGood())
                .isTrue();
        assertThat(row(count, 10, 0, new Outcome(9, 1, 0, 0, List.of()), 0.5).isGood())
                .isFalse();
        assertThat(row(count, 9, 0, new Outcome(9, 0, 1, 0, List.of()), 0.5).isGood())
                .isFalse();
    }

    private static Row row(DemoTask task, long finished, long failed, Outcome outcome, Double share) {
        Progress progress =
                new Progress(task, task.jobs(), TaskState.CLOSED, TestTasks.counts(task, finished, failed), null);
        return new Row(progress, outcome, share, share == null ? null : 0.5, "/data/out");
    }
}
