package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader and a fake DSM that it asks; each test gets its own. */
@Timeout(60)
abstract class DsmReaderSetting {

    @TempDir
    Path spool;

    FakeDsm dsm;
    DsmReader reader;

    @BeforeEach
    void start() throws Exception {
        dsm = new FakeDsm(FakeDsm.paging(0));
        reader = new DsmReader(options(dsm.url()));
    }

    @AfterEach
    void stop() {
        reader.close();
        dsm.close();
    }

    DsmReaderOptions options(URI url) {
        return DsmReaderOptions.at(url)
                .with(new DsmReaderOptions.Retries(
                        3, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(4), Duration.ZERO))
                .with(new DsmReaderOptions.SpoolOptions(spool.toString(), Duration.ofMinutes(1)));
    }

    List<String> readAll(int limit) throws Exception {
        List<String> names = new ArrayList<>();
        DatasetPage page;
        do {
            page = reader.page("d", names.size(), limit).get();
            page.data().stream().map(FileInfo::name).forEach(names::add);
        } while (names.size() < page.total());
        return names;
    }

    static List<String> names(int total) {
        return Stream.iterate(0, i -> i + 1)
                .limit(total)
                .map(i -> "f" + i + ".root")
                .toList();
    }

    DsmFailure failure(CompletableFuture<?> answer) throws InterruptedException {
        try {
            Object value = answer.get();
            throw new AssertionError("should have failed, gave " + value);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(DsmFailure.class);
            return (DsmFailure) e.getCause();
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
