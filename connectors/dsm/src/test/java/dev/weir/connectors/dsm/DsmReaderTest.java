package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DsmReaderTest {

    @TempDir
    Path spool;

    private FakeDsm dsm;
    private DsmReader reader;

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

    private DsmReaderOptions options(URI url) {
        return DsmReaderOptions.at(url)
                .withRetries(3, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(4))
                .withSpool(spool.toString(), Duration.ofMinutes(1));
    }

    private List<String> readAll(int limit) throws Exception {
        List<String> names = new ArrayList<>();
        DatasetPage page;
        do {
            page = reader.page("d", names.size(), limit).get();
            page.data().stream().map(FileInfo::name).forEach(names::add);
        } while (names.size() < page.total());
        return names;
    }

    private static List<String> names(int total) {
        return Stream.iterate(0, i -> i + 1)
                .limit(total)
                .map(i -> "f" + i + ".root")
                .toList();
    }

    private DsmFailure failure(CompletableFuture<?> answer) throws InterruptedException {
        try {
            Object value = answer.get();
            throw new AssertionError("should have failed, gave " + value);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(DsmFailure.class);
            return (DsmFailure) e.getCause();
        }
    }

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
        reader = new DsmReader(options(dsm.url()).withSizes(1000, 1 << 20, 150_000));
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
    void aDatasetThatDsmDoesNotKnowFailsAtOnceAsNotFound() throws Exception {
        dsm.answers(FakeDsm.text(404, "no"));

        DsmFailure failure = failure(reader.page("absent", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.NOT_FOUND);
        assertThat(failure)
                .hasMessageContaining("/dataset/absent?offset=0&limit=10")
                .hasMessageContaining("register");
        assertThat(dsm.questions()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "<html>It works!</html>",
                "{\"total\":1}",
                "{\"data\":[]}",
                "{\"total\":-1,\"data\":[]}",
                "{\"total\":\"1\",\"data\":[]}",
                "{\"total\":1.5,\"data\":[]}",
                "{\"total\":99999999999999999999,\"data\":[]}",
                "{\"total\":0,\"data\":null}",
                "{\"total\":0,\"data\":{}}",
                "{\"total\":1,\"data\":[null]}",
                "{\"total\":1,\"data\":[\"f\"]}",
                "{\"total\":1,\"data\":[{\"storage_url\":\"file:///s\"}]}",
                "{\"total\":1,\"data\":[{\"name\":\"\",\"storage_url\":\"file:///s\"}]}",
                "{\"total\":1,\"data\":[{\"name\":5,\"storage_url\":\"file:///s\"}]}",
                "{\"total\":1,\"data\":[{\"name\":\"../f\",\"storage_url\":\"file:///s\"}]}",
                "{\"total\":1,\"data\":[{\"name\":\"f\",\"storage_url\":\"file:///s\",\"path\":\"a/../../b\"}]}",
                "{\"total\":1,\"data\":[{\"name\":\"f\",\"storage_url\":\"file:///s\",\"groups\":[{}]}]}",
                "{\"total\":0,\"data\":[]} more",
                "{\"total\":0,\"data\":[]}{}",
                "{\"total\":0,\"data\":[],\"total\":0}",
                "\u0000\u0000\u0000\u0001 binary"
            })
    void anAnswerThatIsNotADatasetIsBroken(String body) throws Exception {
        dsm.answers(FakeDsm.text(200, body));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.BROKEN);
        assertThat(failure).hasMessageContaining(dsm.url() + "/dataset/d").hasMessageContaining("Repair");
        assertThat(dsm.questions()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"total\":3,\"data\":[{\"name\":\"f\",\"storage_url\":\"file:///s\"}",
                "{\"total\":3,\"data\":[{\"name\":\"f\",\"stora",
                "{\"total\":3,\"data\":[{\"name\":\"f\",\"storage_url\":\"file:///s\",\"groups\":[\"a"
            })
    void anAnswerThatEndsInTheMiddleIsTriedAgain(String body) throws Exception {
        dsm.answers(FakeDsm.text(200, body));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("broke off");
        assertThat(dsm.questions()).hasSize(3);
    }

    @Test
    void aFileWithoutANameIsNamedByItsPosition() throws Exception {
        dsm.answers(
                FakeDsm.text(200, "{\"total\":2,\"data\":[" + FakeDsm.entry(0) + ",{\"storage_url\":\"file:///s\"}]}"));

        assertThat(failure(reader.page("d", 0, 10))).hasMessageContaining("entry 1: name is required");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void filesThatDoNotAddUpToTheTotalAreBrokenWhateverTheLimit(int limit) throws Exception {
        String three = FakeDsm.entry(0) + "," + FakeDsm.entry(1) + "," + FakeDsm.entry(2);
        dsm.answers(FakeDsm.text(200, "{\"total\":2,\"data\":[" + three + "]}"));

        assertThat(failure(reader.page("d", 0, limit)).kind()).isEqualTo(DsmFailure.Kind.BROKEN);
    }

    @Test
    void moreThanThePageAskedForButNotEverythingIsBroken() throws Exception {
        String two = FakeDsm.entry(0) + "," + FakeDsm.entry(1);
        dsm.answers(FakeDsm.text(200, "{\"total\":10,\"data\":[" + two + "]}"));

        DsmFailure failure = failure(reader.page("d", 0, 1));

        assertThat(failure).hasMessageContaining("gave 2").hasMessageContaining("10");
    }

    @Test
    void bytesThatAreNotUtf8AreBroken() throws Exception {
        byte[] body = "{\"total\":1,\"data\":[{\"name\":\"f?\"}]}".getBytes(StandardCharsets.ISO_8859_1);
        body[29] = (byte) 0xff;
        dsm.answers(exchange -> FakeDsm.send(exchange, 200, body));

        assertThat(failure(reader.page("d", 0, 10)).kind()).isEqualTo(DsmFailure.Kind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 405, 204, 304})
    void aRefusalIsBrokenAndSaysTheStatus(int status) throws Exception {
        dsm.answers(FakeDsm.text(status, ""));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.BROKEN);
        assertThat(failure).hasMessageContaining("status " + status);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504, 429, 408})
    void anErrorOfTheServerIsTriedAgainUntilTheAttemptsAreUsedUp(int status) throws Exception {
        dsm.answers(FakeDsm.text(status, "out of order"));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("answered " + status).hasMessageContaining("3 attempts");
        assertThat(dsm.questions()).hasSize(3);
    }

    @Test
    void aDsmThatRecoversInTimeIsNoFailure() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        dsm.answers(exchange -> {
            if (asked.incrementAndGet() < 3) {
                FakeDsm.send(exchange, 503, new byte[0]);
            } else {
                FakeDsm.paging(4).write(exchange);
            }
        });

        assertThat(reader.page("d", 0, 10).get().data()).hasSize(4);
    }

    @Test
    void noFurtherAttemptBeginsAfterTheTotalTime() throws Exception {
        reader.close();
        reader = new DsmReader(options(dsm.url())
                .withRetries(1000, Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(1)));
        dsm.answers(FakeDsm.text(500, ""));

        assertThat(failure(reader.page("d", 0, 10)).kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(dsm.questions()).hasSize(1);
    }

    @Test
    void nobodyListeningIsUnavailable() throws Exception {
        dsm.close();

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("refused");
    }

    @Test
    void aDsmThatNeverAnswersIsUnavailable() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        reader.close();
        reader = new DsmReader(
                options(dsm.url()).withTimeouts(Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofSeconds(30)));
        dsm.answers(exchange -> await(end));

        DsmFailure failure = failure(reader.page("d", 0, 10));
        end.countDown();

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("within the time-out");
    }

    @Test
    void aBodyThatStopsInTheMiddleIsUnavailable() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        reader.close();
        reader = new DsmReader(
                options(dsm.url()).withTimeouts(Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofSeconds(30)));
        dsm.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("{\"total\":1,\"data\":[{\"name\":".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            await(end);
        });

        DsmFailure failure = failure(reader.page("d", 0, 10));
        end.countDown();

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("nothing of the answer's body came");
    }

    @Test
    void aConnectionThatBreaksInTheMiddleIsTriedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        dsm.answers(exchange -> {
            if (asked.incrementAndGet() == 1) {
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write("{\"total\":1,".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                throw new java.io.IOException("the connection breaks");
            }
            FakeDsm.paging(1).write(exchange);
        });

        assertThat(reader.page("d", 0, 10).get().data()).hasSize(1);
    }

    @Test
    void anEndlessEntryIsBrokenBeforeItFillsTheMemory() throws Exception {
        dsm.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] junk = "\"x\",".repeat(4096).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseBody()
                    .write("{\"total\":1,\"data\":[{\"name\":\"f\",\"groups\":[".getBytes(StandardCharsets.UTF_8));
            while (true) {
                exchange.getResponseBody().write(junk);
            }
        });

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.BROKEN);
        assertThat(failure).hasMessageContaining("one entry has more than 262144 bytes");
    }

    @Test
    void aPageLargerThanAllowedIsBroken() throws Exception {
        reader.close();
        reader = new DsmReader(options(dsm.url()).withSizes(10_000, 40_000, 1 << 20));
        dsm.answers(FakeDsm.paging(5000));

        assertThat(failure(reader.page("d", 0, 5000))).hasMessageContaining("more than 40000 bytes");
    }

    @Test
    void anEndlessDatasetIsBrokenBeforeItFillsTheDisk() throws Exception {
        reader.close();
        reader = new DsmReader(options(dsm.url()).withSizes(10_000, 40_000, 1 << 20));
        dsm.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("{\"data\":[".getBytes(StandardCharsets.UTF_8));
            while (true) {
                exchange.getResponseBody().write((FakeDsm.entry(1) + ",").getBytes(StandardCharsets.UTF_8));
            }
        });

        assertThat(failure(reader.page("d", 0, 10))).hasMessageContaining("more than 1048576 bytes");
    }

    @Test
    void aStorageIsFoundById() throws Exception {
        dsm.answers(FakeDsm.text(200, "{\"url\":\"https://store.example/spd\",\"id\":\"s 1/x\"}"));

        assertThat(reader.storageUrl("s 1/x").get()).isEqualTo("https://store.example/spd");
        assertThat(dsm.questions()).containsExactly("/storage/s%201%2Fx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"url\":null}", "{\"url\":\" \"}", "{\"url\":7}", "<html>"})
    void aStorageWithoutAUrlIsBroken(String body) throws Exception {
        dsm.answers(FakeDsm.text(200, body));

        assertThat(failure(reader.storageUrl("s")).kind()).isEqualTo(DsmFailure.Kind.BROKEN);
    }

    @Test
    void moreQuestionsThanMayWaitFailAsUnavailable() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        reader.close();
        reader = new DsmReader(options(dsm.url()).withConcurrency(1, 1));
        dsm.answers(exchange -> {
            await(end);
            FakeDsm.paging(1).write(exchange);
        });

        List<CompletableFuture<DatasetPage>> pages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            pages.add(reader.page("d", 0, 1));
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
            pages.add(reader.page("d", 0, 1));
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

    private static void await(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
