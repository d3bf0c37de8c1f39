package dev.weir.dsm.files;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryDatasetTest {

    @TempDir
    Path directory;

    @Test
    void aNameThatNoDatasetMayHaveIsToldWithItsPath() throws IOException {
        Path file = directory.toRealPath().resolve("a\\..\\b.raw");
        Files.writeString(file, "raw");

        assertThatThrownBy(() -> DirectoryDataset.list(directory))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + " cannot be in a dataset: name must have no step '..'");
    }
}
