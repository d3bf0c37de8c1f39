package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reader says when DSM does not answer as it should. */
class DsmReaderFailureTest extends DsmReaderSetting {

    @Test
    void aDatasetThatDsmDoesNotKnowFailsAtOnceAsNotFound() throws Exception {
        dsm.answers(FakeDsm.unknown());

        DsmFailure failure = failure(reader.page("absent", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.NOT_FOUND);
        assertThat(failure)
                .hasMessageContaining("/dataset/absent?offset=0&limit=10")
                .hasMessageContaining("register");
        assertThat(dsm.questions()).hasSize(1);
    }

    @Test
    void aDatasetThatIsRegisteredWhileItIsAskedForIsRead() throws Exception {
        datasetsMayBeAbsentFor(Duration.ofSeconds(20));
        AtomicInteger asked = new AtomicInteger();
        dsm.answers(exchange -> {
            if (asked.incrementAndGet() <= 3) {
                FakeDsm.unknown().write(exchange);
            } else {
                FakeDsm.paging(2).write(exchange);
            }
        });

        assertThat(reader.page("late", 0, 10).get().total()).isEqualTo(2);
        assertThat(asked).hasValue(4);
    }

    @Test
    void theTimeThatADatasetMayBeUnknownCountsFromTheFirstTimeThatDsmSaysSo() throws Exception {
        datasetsMayBeAbsentFor(Duration.ofMillis(500));
        long begun = System.nanoTime();
        AtomicInteger absent = new AtomicInteger();
        dsm.answers(exchange -> {
            if (System.nanoTime() - begun < 700_000_000L) {
                FakeDsm.text(503, "").write(exchange);
            } else if (absent.getAndIncrement() < 3) {
                FakeDsm.unknown().write(exchange);
            } else {
                FakeDsm.paging(2).write(exchange);
            }
        });

        assertThat(reader.page("late", 0, 10).get().total()).isEqualTo(2);
    }

    @Test
    void aDatasetThatStaysUnknownIsNotFoundWhenItsTimeIsOver() throws Exception {
        datasetsMayBeAbsentFor(Duration.ofMillis(50));
        dsm.answers(FakeDsm.unknown());

        assertThat(failure(reader.page("absent", 0, 10)).kind()).isEqualTo(DsmFailure.Kind.NOT_FOUND);
        assertThat(dsm.questions()).hasSizeGreaterThan(1);
    }

    @Test
    void aDatasetThatStaysUnknownIsNotFoundThoughQuestionsAreGivenUpSooner() throws Exception {
        reader.close();
        reader = new DsmReader(options(dsm.url())
                .with(new DsmReaderOptions.Retries(
                        3,
                        Duration.ofMillis(50),
                        Duration.ofMillis(20),
                        Duration.ofMillis(20),
                        Duration.ofMillis(300))));
        dsm.answers(FakeDsm.unknown());

        assertThat(failure(reader.page("absent", 0, 10)).kind()).isEqualTo(DsmFailure.Kind.NOT_FOUND);
        assertThat(dsm.questions()).hasSizeGreaterThan(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "404 page not found", "<html>nginx</html>", "[]", "\"no\""})
    void aPageThatDsmHasNotWrittenSaysNothingAboutTheDataset(String body) throws Exception {
        dsm.answers(FakeDsm.text(404, body));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure(reader.storageUrl("s")).kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
    }

    @Test
    void aStorageThatDsmDoesNotKnowIsAskedForOnce() throws Exception {
        datasetsMayBeAbsentFor(Duration.ofSeconds(20));
        dsm.answers(FakeDsm.unknown());

        assertThat(failure(reader.storageUrl("absent")).kind()).isEqualTo(DsmFailure.Kind.NOT_FOUND);
        assertThat(dsm.questions()).hasSize(1);
    }

    private void datasetsMayBeAbsentFor(Duration absence) {
        reader.close();
        reader = new DsmReader(options(dsm.url())
                .with(new DsmReaderOptions.Retries(
                        1000, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(4), absence)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"total\":-1,\"data\":[]}",
                "{\"total\":\"1\",\"data\":[]}",
                "{\"total\":1.5,\"data\":[]}",
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
                "{\"total\":0,\"data\":[]}{}"
            })
    void aDatasetThatBreaksTheProtocolIsBroken(String body) throws Exception {
        dsm.answers(FakeDsm.text(200, body));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.BROKEN);
        assertThat(failure).hasMessageContaining(dsm.url() + "/dataset/d").hasMessageContaining("Repair");
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
                "{\"total\":99999999999999999999,\"data\":[]}",
                "{\"total\":0,\"data\":[]} more",
                "{\"total\":0,\"data\":[],\"total\":0}",
                "\u0000\u0000\u0000\u0001 binary"
            })
    void anAnswerThatIsNoDatasetAtAllIsAskedForAgain(String body) throws Exception {
        dsm.answers(FakeDsm.text(200, body));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining(dsm.url() + "/dataset/d").hasMessageContaining("its answer");
        assertThat(dsm.questions()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 410})
    void aDatasetThatIsGoneWhileItIsReadIsAskedForAgain(int status) throws Exception {
        dsm.answers(FakeDsm.text(status, ""));

        DsmFailure failure = failure(reader.page("d", 10, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("it answered " + status);
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
    void aFileThatIsRefusedIsToldWithItsPositionItsNameAndItsDataset() throws Exception {
        String entry = "{\"name\":\"a\\\\..\\\\b.raw\",\"storage_url\":\"file:///s\"}";
        dsm.answers(FakeDsm.text(200, "{\"total\":2,\"data\":[" + FakeDsm.entry(0) + "," + entry + "]}"));
        DsmFailure failure = failure(reader.page("d", 0, 10));
        assertThat(failure).hasMessageContainingAll("/dataset/d", "entry 1: name must", "'a\\..\\b.raw'");
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
    void bytesThatAreNotUtf8InAnEntryAreBroken() throws Exception {
        byte[] body = "{\"total\":1,\"data\":[{\"name\":\"f?\"}]}".getBytes(StandardCharsets.ISO_8859_1);
        body[29] = (byte) 0xff;
        dsm.answers(exchange -> FakeDsm.send(exchange, 200, body));

        assertThat(failure(reader.page("d", 0, 10)).kind()).isEqualTo(DsmFailure.Kind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 405, 204, 304})
    void aRefusalIsTriedAgainAndSaysTheStatus(int status) throws Exception {
        dsm.answers(FakeDsm.text(status, ""));

        DsmFailure failure = failure(reader.page("d", 0, 10));

        assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("answered " + status);
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
    void whatAnErrorSaysOfItselfIsPassedOn() throws Exception {
        dsm.answers(FakeDsm.text(503, "{\"title\":\"Open\",\"detail\":\"dataset d is not closed yet\"}"));

        assertThat(failure(reader.page("d", 0, 10))).hasMessageContaining("503: dataset d is not closed yet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[1]", "{\"detail\":{}}", "{\"detail\":"})
    void anErrorThatSaysNothingIsStillTold(String body) throws Exception {
        dsm.answers(FakeDsm.text(503, body));

        assertThat(failure(reader.page("d", 0, 10))).hasMessageContaining("it answered 503 (");
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
                .with(new DsmReaderOptions.Retries(
                        1000, Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ZERO)));
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
        reader = new DsmReader(options(dsm.url())
                .with(new DsmReaderOptions.Timeouts(
                        Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofSeconds(30))));
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
        reader = new DsmReader(options(dsm.url())
                .with(new DsmReaderOptions.Timeouts(
                        Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofSeconds(30))));
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
        reader = new DsmReader(options(dsm.url()).with(new DsmReaderOptions.Sizes(10_000, 40_000, 1 << 20)));
        dsm.answers(FakeDsm.paging(5000));

        assertThat(failure(reader.page("d", 0, 5000))).hasMessageContaining("more than 40000 bytes");
    }

    @Test
    void anEndlessDatasetIsBrokenBeforeItFillsTheDisk() throws Exception {
        reader.close();
        reader = new DsmReader(options(dsm.url()).with(new DsmReaderOptions.Sizes(10_000, 40_000, 1 << 20)));
        dsm.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("{\"data\":[".getBytes(StandardCharsets.UTF_8));
            while (true) {
                exchange.getResponseBody().write((FakeDsm.entry(1) + ",").getBytes(StandardCharsets.UTF_8));
            }
        });

        assertThat(failure(reader.page("d", 0, 10))).hasMessageContaining("more than 1048576 bytes");
    }
}
