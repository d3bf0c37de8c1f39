package dev.weir.job.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import dev.weir.protocol.PageRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.async.CollectionSupplier;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Flink's timeouts, with a DSM that answers with large pages when the test allows it. */
class AsksDsmTimeoutTest {

    /** Less than the minute that a large answer waits for a place. */
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final int MOST = 10_000;
    private static final int CONCURRENCY = 2;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch answers = new CountDownLatch(1);
    private HttpServer dsm;
    private ReadPages operator;

    @BeforeEach
    void open() throws Exception {
        dsm = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        dsm.createContext("/dataset/", this::answer);
        dsm.setExecutor(threads);
        dsm.start();
        operator = new ReadPages(
                AsksDsmTest.patient("http://127.0.0.1:" + dsm.getAddress().getPort(), CONCURRENCY));
        operator.open(new OpenContext() {});
    }

    @AfterEach
    void close() {
        operator.close();
        answers.countDown();
        dsm.stop(0);
        threads.shutdownNow();
    }

    /** A dataset called "silent" is never answered for, any other after {@link #answers}. */
    private void answer(HttpExchange exchange) throws IOException {
        try {
            if (exchange.getRequestURI().getPath().endsWith("silent")) {
                new CountDownLatch(1).await();
            }
            answers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.close();
            return;
        }
        List<FileInfo> files = IntStream.range(0, 1000)
                .mapToObj(i -> new FileInfo("f%090d".formatted(i), "file:///store", "d", 10L, null, null, null, null))
                .toList();
        byte[] page = Json.write(new DatasetPage(1000L, files));
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
        exchange.close();
    }

    private Asked ask(String dataset) {
        Inbound message = new Inbound(
                Kind.PAGE_REQUEST, 0, "q", 1, Json.write(new PageRequest("t", dataset, 0, 1000)), new byte[0]);
        Asked asked = new Asked(message);
        operator.asyncInvoke(message, asked);
        return asked;
    }

    private List<Asked> ask(int times, String dataset) {
        List<Asked> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            all.add(ask(dataset));
        }
        return all;
    }

    /** As Flink does it: on its own thread, with the very object that the message was asked with, and not after an answer. */
    private void giveUp(Asked asked) {
        if (!asked.isAnswered()) {
            operator.timeout(asked.message, asked);
        }
    }

    private static void takeSoon(Asked asked) {
        Awaitility.await().atMost(SOON).until(asked::isAnswered);
        assertThat(asked.take().kind()).isEqualTo(Kind.PAGE);
    }

    @Test
    void answersAfterFlinksTimeoutHoldNoPermit() {
        Asked first = ask("a");
        Asked second = ask("b");
        giveUp(first);
        giveUp(second);
        answers.countDown();

        for (String dataset : List.of("c", "d", "e", "f")) {
            takeSoon(ask(dataset));
        }

        assertThat(first.take().kind()).isEqualTo(Kind.PAGE_UNAVAILABLE);
    }

    @Test
    void answersThatTimeOutWhileTheyWaitForAPermitLeaveItToLaterOnes() {
        List<Asked> untaken = List.of(ask("a"), ask("b"));
        answers.countDown();
        Awaitility.await().atMost(SOON).until(() -> untaken.stream().allMatch(Asked::isAnswered));
        // Both places are held now: the answers for these wait for one, or will.
        List<Asked> givenUp = List.of(ask("c"), ask("d"));
        givenUp.forEach(this::giveUp);
        untaken.forEach(Asked::take);

        for (String dataset : List.of("e", "f", "g", "h")) {
            takeSoon(ask(dataset));
        }

        assertThat(givenUp).allMatch(asked -> asked.take().kind() == Kind.PAGE_UNAVAILABLE);
    }

    @Test
    void requestsThatTimedOutNoLongerCountAsWaiting() {
        List<Asked> waiting = ask(MOST, "silent");
        assertThat(ask("silent").isAnswered()).isTrue();

        waiting.forEach(this::giveUp);

        assertThat(ask(MOST, "silent")).noneMatch(Asked::isAnswered);
    }

    @Test
    void aRequestThatTimedOutStopsWaitingOnceAlthoughItsAnswerArrivesLater() {
        Asked givenUp = ask("a");
        giveUp(givenUp);
        answers.countDown();
        // The same question, so that the late answer has come when this one has.
        takeSoon(ask("a"));
        takeSoon(ask("b"));

        List<Asked> waiting = ask(MOST, "silent");

        assertThat(waiting).noneMatch(Asked::isAnswered);
        assertThat(ask("silent").isAnswered()).isTrue();
    }

    @Test
    void answersAfterTheOperatorsEndHoldNoPermit() {
        Asked refused = ask("a");
        refused.closed = true;
        Asked other = ask("b");
        other.closed = true;
        answers.countDown();

        takeSoon(ask("c"));
        takeSoon(ask("d"));
        takeSoon(ask("e"));
    }

    @Test
    void requestsThatWaitWhenTheOperatorClosesAreAnsweredOnce() {
        List<Asked> waiting = ask(3, "silent");
        giveUp(waiting.get(0));

        operator.close();

        assertThat(waiting).allMatch(asked -> asked.take().kind() == Kind.PAGE_UNAVAILABLE);
    }

    /** One message's result as Flink keeps it: the first answer counts, and waits until the operator's thread takes it. */
    private static final class Asked implements ResultFuture<Inbound> {

        private final Inbound message;
        private volatile boolean closed;
        private CollectionSupplier<Inbound> answer;

        Asked(Inbound message) {
            this.message = message;
        }

        synchronized boolean isAnswered() {
            return answer != null;
        }

        Inbound take() {
            try {
                return answer.get().iterator().next();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void complete(Collection<Inbound> result) {
            complete(() -> result);
        }

        @Override
        public synchronized void complete(CollectionSupplier<Inbound> supplier) {
            if (closed) {
                throw new RejectedExecutionException("the mailbox is closed");
            }
            if (answer == null) {
                answer = supplier;
            }
        }

        @Override
        public void completeExceptionally(Throwable error) {
            throw new AssertionError(error);
        }
    }
}
