package dev.weir.pilot.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxFilesTest {

    private static final byte[] BODY = "a report".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path temp;

    @Test
    void aReportIsOnDiskAlsoWhenTheDirectoryWasRemovedMeanwhile() throws IOException {
        Path directory = temp.resolve("pilot/outbox");
        OutboxFiles files = new OutboxFiles(directory);
        Files.delete(directory);
        Files.delete(directory.getParent());

        Path kept = files.keep(BODY);

        assertThat(kept).hasParent(directory).hasBinaryContent(BODY);
        files.forget(kept);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aReportThatADeadProcessDidNotWriteInFullIsDeleted() throws IOException {
        Files.writeString(temp.resolve("1.part"), "a rep");
        assertThat(new OutboxFiles(temp).left()).isEmpty();
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void aReportThatTheDiskDoesNotTakeLivesInMemory() throws IOException {
        Path directory = temp.resolve("outbox");
        OutboxFiles files = new OutboxFiles(directory);
        Files.delete(directory);
        Files.createFile(directory);
        assertThat(files.keep(BODY)).isNull();
    }
}
