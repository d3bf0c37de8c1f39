package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.FileRow;
import dev.weir.protocol.Job;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the mirror shows of the files that jobs made. */
class FileRowsTest {

    private final Lab lab = Lab.withDefaults();

    private Job only() {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(0).build());
        return lab.take();
    }

    @Test
    void anOutputAndItsLogAreShownAsTheyWereRegistered() {
        Job job = only();
        lab.starting("p", job).pass(1).finished("p", job);

        assertThat(lab.fileRows)
                .containsExactly(
                        registered(job, FileRow.Kind.OUTPUT, "out", 5, lab.now * 1000),
                        registered(job, FileRow.Kind.LOG, "log", 7, lab.now * 1000 + 1));
    }

    private FileRow registered(Job job, FileRow.Kind kind, String ending, long size, long version) {
        return new FileRow(
                job.uid() + "/1/" + ending,
                "t",
                job.uid(),
                1,
                "t-out",
                kind,
                FileRow.Status.FINISHED,
                "t/" + job.uid() + "/f0.0.1." + ending,
                "file:///store",
                size,
                null,
                Instant.ofEpochMilli(lab.now),
                version,
                false);
    }

    @Test
    void theOutputOfAJobThatFailedForGoodIsShownAsMissing() {
        Job job = only();
        lab.starting("p", job).pass(1).failed("p", job).settle();

        assertThat(lab.fileRows).hasSize(2);
        FileRow missing = lab.fileRows.stream()
                .filter(row -> row.kind() == FileRow.Kind.OUTPUT)
                .findFirst()
                .orElseThrow();
        assertThat(missing.status()).isEqualTo(FileRow.Status.FAILED);
        assertThat(missing.id()).isEqualTo(job.uid() + "/1/out");
        assertThat(missing.path()).isNull();
        assertThat(missing.version()).as("behind its log").isEqualTo(lab.now * 1000 + 1);
    }
}
