package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.DatasetPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DsmReaderFairnessTest extends DsmReaderSetting {

    private final CountDownLatch end = new CountDownLatch(1);

    private void hangForAllBut(String uid) {
        dsm.answers(exchange -> {
            if (exchange.getRequestURI().getPath().endsWith("/" + uid)) {
                FakeDsm.paging(20).write(exchange);
            } else {
                await(end);
            }
        });
    }

    private void askForMany() {
        for (int i = 0; i < 20; i++) {
            var unused = reader.page("hangs-" + i, 0, 10);
        }
    }

    @Test
    void aDatasetThatAnswersGoesOnWhileManyOthersHang() throws Exception {
        hangForAllBut("good");
        askForMany();

        DatasetPage page = reader.page("good", 10, 10).get(20, TimeUnit.SECONDS);
        end.countDown();

        assertThat(page.data()).hasSize(10);
    }

    @Test
    void aNewDatasetIsReadWhileManyThatHungBeforeAreTriedAgain() throws Exception {
        reader.close();
        reader = new DsmReader(options(dsm.url())
                .with(new DsmReaderOptions.Timeouts(
                        Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofSeconds(30)))
                .with(new DsmReaderOptions.Retries(
                        1000, Duration.ofMinutes(10), Duration.ofMillis(1), Duration.ofMillis(4), Duration.ZERO)));
        dsm.answers(FakeDsm.text(503, ""));
        List<CompletableFuture<DatasetPage>> failing = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            failing.add(reader.page("hangs-" + i, 0, 10));
        }
        while (dsm.questions().stream().distinct().count() < 200) {
            Thread.onSpinWait();
        }
        hangForAllBut("good");

        // 200 of them ahead, two at a time, 300 ms each, would be half a minute.
        DatasetPage page = reader.page("good", 0, 10).get(10, TimeUnit.SECONDS);
        end.countDown();

        assertThat(page.data()).hasSize(10);
        assertThat(failing).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void aQuestionThatIsUnderWayIsNotAskedAgain() throws Exception {
        dsm.answers(exchange -> {
            await(end);
            FakeDsm.paging(20).write(exchange);
        });
        CompletableFuture<DatasetPage> first = reader.page("d", 0, 10);
        CompletableFuture<DatasetPage> second = reader.page("d", 0, 10);
        end.countDown();

        assertThat(second.get().data()).isEqualTo(first.get().data());
        assertThat(dsm.questions()).hasSize(1);
    }
}
