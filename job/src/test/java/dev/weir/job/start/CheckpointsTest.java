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

        assertThat(Checkpoints.newestFirst(Written.flinks(directory))).first().isEqualTo(newest);
    }

    @Test
    void theHighestNumberIsTheNewestWhateverTheClockSaid() throws IOException {
        Written job = new Written(directory);
        var newest = job.complete("a/chk-900", 1000);
        job.complete("b/chk-899", 2000);

        assertThat(Checkpoints.newestFirst(Written.flinks(directory))).first().isEqualTo(newest);
    }

    @Test
    void aSavepointIsOrderedByTheNumberInIt() throws IOException {
        Written job = new Written(directory);
        job.complete("a/chk-6", 3000);
        var savepoint = job.complete("savepoint-a-1", 8, 1000);
        job.complete("a/chk-7", 2000);

        assertThat(Checkpoints.newestFirst(Written.flinks(directory))).first().isEqualTo(savepoint);
    }

    @Test
    void anEmptyDirectoryHasNoCheckpoint() throws IOException {
        assertThat(Checkpoints.newestFirst(Written.flinks(directory.resolve("never"))))
                .isEmpty();
    }
}
