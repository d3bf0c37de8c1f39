package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reader gives when DSM answers as it should, and what its callers may ask. */
class DsmReaderTest extends DsmReaderSetting {

    @Test
    void pagesOfADatasetAddUpToTheDataset() throws Exception {
        dsm.answers(FakeDsm.paging(95));

        assertThat(readAll(10)).isEqualTo(names(95));
        assertThat(dsm.questions()).hasSize(10);
        assertThat(reader.page("d", 95, 10).get()).isEqualTo(new DatasetPage(95L, List.of()));
    }

    @Test
    void theFieldsOfAFileSurviveTheWayThroughTheReader() throws Exception {
        dsm.answers(FakeDsm.text(200, """
                {"unknown": {"a": [1, 2]}, "total": 1, "data": [{"name": "a b.root", "storage_url": "https://s/x/", "path": "/p/ü",
                "size": 7, "checksum": "sha256:00", "priority": 3, "groups": ["g"], "more": null}]}"""));

        FileInfo file = reader.page("d", 0, 10).get().data().get(0);

        assertThat(file)
                .isEqualTo(new FileInfo("a b.root", "https://s/x/", "/p/ü", 7L, "sha256:00", null, 3, List.of("g")));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 512, 1999, 2000, 5000})
    void aDsmThatIgnoresPagingIsServedAndReadOnlyOnce(int limit) throws Exception {
        dsm.answers(FakeDsm.whole(2000));

        assertThat(readAll(limit)).isEqualTo(names(2000));
        assertThat(dsm.questions()).hasSizeLessThanOrEqualTo(limit == 1999 ? 2 : 1);
    }

    @Test
    void aWholeDatasetSmallerThanTheLimitIsCutAtEveryOffset() throws Exception {
        dsm.answers(FakeDsm.whole(5));

        assertThat(reader.page("d", 3, 100).get().data())
                .extracting(FileInfo::name)
                .containsExactly("f3.root", "f4.root");
        assertThat(reader.page("d", 5, 100).get().data()).isEmpty();
        assertThat(reader.page("d", 900, 100).get().data()).isEmpty();
    }

    @Test
    void manyPagesAskedAtOnceOfADsmThatIgnoresPagingAreAllRight() throws Exception {
        dsm.answers(FakeDsm.whole(20_000));
        List<CompletableFuture<DatasetPage>> pages = new ArrayList<>();
        for (int offset = 0; offset < 20_000; offset += 500) {
            pages.add(reader.page("d", offset, 500));
        }

        List<String> names = new ArrayList<>();
        for (CompletableFuture<DatasetPage> page : pages) {
            page.get().data().stream().map(FileInfo::name).forEach(names::add);
        }

        assertThat(names).isEqualTo(names(20_000));
    }

    @Test
    void readingFromTheBeginningSeesTheDatasetAsItIsNow() throws Exception {
        dsm.answers(FakeDsm.whole(30));
        assertThat(readAll(10)).hasSize(30);

        dsm.answers(FakeDsm.whole(40));

        assertThat(readAll(10)).isEqualTo(names(40));
    }

    @Test
    void theCopyOfAWholeDatasetLeavesNoFileBehind() throws Exception {
        dsm.answers(FakeDsm.whole(3000));
        readAll(100);

        try (Stream<Path> files = Files.list(spool)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aDatasetThatFellOutOfTheSpoolIsReadAnew() throws Exception {
        reader.close();
        reader = new DsmReader(options(dsm.url()).with(new DsmReaderOptions.Sizes(1000, 1 << 20, 150_000)));
        dsm.answers(FakeDsm.whole(1000));
        reader.page("first", 0, 10).get();
        reader.page("second", 0, 10).get();

        DatasetPage page = reader.page("first", 990, 10).get();

        assertThat(page.data()).extracting(FileInfo::name).isEqualTo(names(1000).subList(990, 1000));
        assertThat(dsm.questions()).hasSize(3);
    }

    @Test
    void logsInAWholeDatasetAreLeftOutAndNotCounted() throws Exception {
        String log = FakeDsm.entry(9).replace("}", ",\"type\":\"log\"}");
        dsm.answers(FakeDsm.text(
                200,
                "{\"total\":4,\"data\":[" + FakeDsm.entry(0) + "," + log + "," + FakeDsm.entry(1) + "," + log + "]}"));

        for (int limit : new int[] {1, 2, 4, 100}) {
            DatasetPage page = reader.page("d", 0, limit).get();
            assertThat(page.total()).isEqualTo(2);
            assertThat(page.data()).extracting(FileInfo::name).isEqualTo(names(Math.min(2, limit)));
        }
    }

    @Test
    void aStorageIsFoundById() throws Exception {
        dsm.answers(FakeDsm.text(200, "{\"url\":\"https://store.example/spd\",\"id\":\"s 1/x\"}"));

        assertThat(reader.storageUrl("s 1/x").get()).isEqualTo("https://store.example/spd");
        assertThat(dsm.questions()).containsExactly("/storage/s%201%2Fx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"url\":null}", "{\"url\":\" \"}", "{\"url\":7}"})
    void aStorageWithoutAUrlIsBroken(String body) throws Exception {
        dsm.answers(FakeDsm.text(200, body));

        assertThat(failure(reader.storageUrl("s")).kind()).isEqualTo(DsmFailure.Kind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "<html>"})
    void anAnswerThatIsNoStorageIsAskedForAgain(String body) throws Exception {
        dsm.answers(FakeDsm.text(200, body));

        assertThat(failure(reader.storageUrl("s")).kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(dsm.questions()).hasSize(3);
    }

    @Test
    void moreQuestionsThanMayWaitFailAsUnavailable() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        reader.close();
        reader = new DsmReader(options(dsm.url()).with(new DsmReaderOptions.Load(1, 1)));
        dsm.answers(exchange -> {
            await(end);
            FakeDsm.paging(1).write(exchange);
        });

        List<CompletableFuture<DatasetPage>> pages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            pages.add(reader.page("d" + i, 0, 1));
        }
        assertThat(failure(pages.get(2)).kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        end.countDown();

        assertThat(pages.get(0).get().data()).hasSize(1);
        assertThat(pages.get(1).get().data()).hasSize(1);
    }

    @Test
    void closingTheReaderEndsEveryWait() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        dsm.answers(exchange -> await(end));
        List<CompletableFuture<DatasetPage>> pages = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            pages.add(reader.page("d" + i, 0, 1));
        }

        reader.close();

        for (CompletableFuture<DatasetPage> page : pages) {
            assertThat(failure(page).kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        }
        assertThat(failure(reader.page("d", 0, 1)).kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        end.countDown();
    }

    @Test
    void aPageThatCannotExistIsTheCallersMistake() {
        assertThatThrownBy(() -> reader.page("d", -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reader.page("d", 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DsmReaderOptions.at(URI.create("ftp://x")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
