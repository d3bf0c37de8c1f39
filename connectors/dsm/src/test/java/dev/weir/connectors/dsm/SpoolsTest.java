package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which copies of datasets stay. */
class SpoolsTest {

    private static final FileInfo FILE = Json.read(
            "{\"name\":\"f\",\"storage_url\":\"file:///s\"}".getBytes(StandardCharsets.UTF_8), FileInfo.class);

    @TempDir
    Path directory;

    @Test
    void aCopyThatFindsNoRoomDropsThoseThatWereReadLeastLatelyAndNoMoreThanItNeeds() throws Exception {
        Spools spools = new Spools(DsmReaderOptions.at(URI.create("http://dsm.example"))
                .with(new DsmReaderOptions.SpoolOptions(directory.toString(), Duration.ofDays(1))));
        copy(spools, "read").page(0, 1, 1000);
        copy(spools, "old");
        copy(spools, "young");
        spools.find("read").join().page(0, 1, 1000);

        SpoolWriter fails = writer(spools);
        fails.add(FILE);
        fails.close();
        assertThatThrownBy(fails::finish).isInstanceOf(Transient.class).hasMessageContaining(directory.toString());

        assertThat(spools.find("old")).isNull();
        assertThat(spools.find("young")).isNotNull();

        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> new SpoolWriter(file.toString(), spools)).isInstanceOf(Transient.class);
        assertThat(spools.find("young")).isNull();
        assertThat(spools.find("read")).isNotNull();
    }

    private SpoolWriter writer(Spools spools) throws IOException {
        return new SpoolWriter(directory.toString(), spools);
    }

    private Spool copy(Spools spools, String uid) throws IOException {
        CompletableFuture<Spool> mine = new CompletableFuture<>();
        assertThat(spools.claim(uid, mine)).isNull();
        SpoolWriter writer = writer(spools);
        writer.add(FILE);
        spools.finished(mine, writer.finish());
        return mine.join();
    }
}
