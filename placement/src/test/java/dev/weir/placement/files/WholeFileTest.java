package dev.weir.placement.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
