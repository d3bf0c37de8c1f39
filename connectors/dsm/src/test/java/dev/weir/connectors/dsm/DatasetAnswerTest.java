package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetAnswerTest {

    private static final int LIMIT = 1;

    @TempDir
    Path directory;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        clock.shutdownNow();
    }

    @Test
    void whoeverWaitsForADatasetHearsOfAnErrorInItsReader() throws Exception {
        DsmReaderOptions options = DsmReaderOptions.at(URI.create("http://dsm.example"))
                .with(new DsmReaderOptions.SpoolOptions(directory.toString(), Duration.ofMinutes(1)));
        Spools spools = new Spools(options);
        CompletableFuture<CompletableFuture<Spool>> waiting = new CompletableFuture<>();
        InputStream fails = new InputStream() {
            @Override
            public int read() {
                waiting.complete(spools.find("d"));
                throw new StackOverflowError("in the middle");
            }
        };
        String file = "{\"name\":\"f\",\"storage_url\":\"file:///s\"},";
        InputStream begin =
                new ByteArrayInputStream(("{\"total\":3,\"data\":[" + file + file).getBytes(StandardCharsets.UTF_8));

        try (BoundedBody body = new BoundedBody(new SequenceInputStream(begin, fails), options, clock)) {
            DatasetAnswer answer = new DatasetAnswer("d", 0, LIMIT, options, spools);
            assertThatThrownBy(() -> answer.read(body)).isInstanceOf(StackOverflowError.class);
        }

        assertThat(waiting.join()).isCompletedExceptionally();
        assertThatThrownBy(waiting.join()::join).hasCauseInstanceOf(Transient.class);
        assertThat(spools.find("d")).isNull();
    }
}
