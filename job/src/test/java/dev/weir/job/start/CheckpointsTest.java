package dev.weir.job.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {

    @TempDir
    Path directory;

    @Test
    void aCheckpointWithoutMetadataIsNotComplete() throws IOException {
        Written job = new Written(directory);
        job.complete("a/chk-8", 1000);
        var newest = job.complete("b/chk-9", 2000);
        job.incomplete("b/chk-10");

        assertThat(Checkpoints.newest(Written.flinks(directory))).contains(newest);
    }

    @Test
    void theNewestCountsInsteadOfTheHighestNumberBecauseEveryStartBeginsAtOne() throws IOException {
        Written job = new Written(directory);
        job.complete("a/chk-900", 1000);
        var newest = job.complete("b/chk-2", 2000);

        assertThat(Checkpoints.newest(Written.flinks(directory))).contains(newest);
    }

    @Test
    void aSavepointCountsAsNewerThanACheckpointOfTheSameMoment() throws IOException {
        Written job = new Written(directory);
        job.complete("a/chk-7", 1000);
        var savepoint = job.complete("savepoint-a-1", 1000);
        job.complete("a/chk-6", 1000);

        assertThat(Checkpoints.newest(Written.flinks(directory))).contains(savepoint);
    }

    @Test
    void anEmptyDirectoryHasNoCheckpoint() throws IOException {
        assertThat(Checkpoints.newest(Written.flinks(directory.resolve("never"))))
                .isEmpty();
    }
}
