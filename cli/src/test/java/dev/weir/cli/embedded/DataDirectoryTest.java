package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

    @TempDir
    Path directory;

    @Test
    void twoDoNotShareADirectoryUntilTheFirstIsClosed() throws IOException {
        try (DataDirectory first = DataDirectory.open(directory)) {
            assertThatThrownBy(() -> DataDirectory.open(directory))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("--data");
            assertThat(first.root()).isEqualTo(directory);
        }
        DataDirectory.open(directory).close();
    }

    @Test
    void deletingTheStateKeepsDatasetsOutputsAndPrograms() throws IOException {
        try (DataDirectory data = DataDirectory.open(directory)) {
            Files.createDirectories(data.broker().resolve("store"));
            Files.createDirectories(data.flink().resolve("checkpoints"));
            Files.createDirectories(data.database().resolve("programs"));
            Path output = Files.createDirectories(data.storage().resolve("out"));

            data.forgetState();

            assertThat(data.broker()).doesNotExist();
            assertThat(data.flink()).doesNotExist();
            assertThat(data.database().resolve("programs")).exists();
            assertThat(output).exists();
        }
    }

    @Test
    void aKeptSecretStaysTheSameAndOnlyItsOwnerMayReadIt() throws IOException {
        Path file = directory.resolve("secret");
        Files.createFile(directory.resolve("secret.part"));
        Secret first = Secret.kept("weir", file);

        assertThat(Secret.kept("weir", file)).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
        assertThat(first.toString()).doesNotContain(first.password());
    }
}
