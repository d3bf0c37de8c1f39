package dev.weir.placement.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

    @TempDir
    private Path directory;

    @Test
    void writersThatOverlapEachWriteAWholeFileAndTheLastOnesStays() throws Exception {
        Path file = directory.resolve("assignment.jsonl");

        WholeFile.write(file, out -> {
            out.write("first, ".getBytes(StandardCharsets.UTF_8));
            WholeFile.write(file, other -> other.write("other".getBytes(StandardCharsets.UTF_8)));
            assertThat(file).hasContent("other");
            out.write("whole".getBytes(StandardCharsets.UTF_8));
        });

        assertThat(file).hasContent("first, whole");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void noFileIsReplacedWhereOneOfThemCannotBeWritten() throws Exception {
        Path small = Files.writeString(directory.resolve("status.json"), "old");
        Map<Path, WholeFile.Content> files = new LinkedHashMap<>();
        files.put(small, out -> out.write(1));
        files.put(directory.resolve("assignment.jsonl"), out -> {
            out.write(1);
            throw new IOException("No space left on device");
        });

        assertThatThrownBy(() -> WholeFile.write(files)).hasMessage("No space left on device");

        assertThat(small).hasContent("old");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(small);
        }
    }

    @Test
    void whatAKilledWriterLeftIsRemovedADayLater() throws Exception {
        Path file = directory.resolve("assignment.jsonl");
        Path old = Files.createFile(directory.resolve("assignment.jsonl.1.part"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        Path underWay = Files.createFile(directory.resolve("assignment.jsonl.2.part"));

        WholeFile.write(file, out -> out.write(1));

        assertThat(old).doesNotExist();
        assertThat(underWay).exists();
    }
}
