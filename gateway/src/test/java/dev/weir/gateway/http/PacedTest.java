package dev.weir.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.web.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Before a database that does not answer. */
@Timeout(60)
class PacedTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void whatIsCountedIsCountedOnceForAllWhoAsk() {
        AtomicInteger counts = new AtomicInteger();
        Paced<Integer> paced = new Paced<>(counts::incrementAndGet);

        assertThat(List.of(paced.get(), paced.get())).containsExactly(1, 1);
    }

    @Test
    void whatIsAskedForAgainAndAgainIsCountedBehindThoseWhoAskAndWhatIsOldIsCountedBeforeTheAnswer() {
        AtomicInteger counts = new AtomicInteger();
        AtomicLong now = new AtomicLong();
        List<Runnable> behind = new ArrayList<>();
        Paced<Integer> paced = new Paced<>(counts::incrementAndGet, now::get, behind::add);
        assertThat(paced.get()).isEqualTo(1);

        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2500));
        assertThat(List.of(paced.get(), paced.get())).containsExactly(1, 1);
        assertThat(behind).hasSize(1);
        behind.get(0).run();
        assertThat(paced.get()).isEqualTo(2);

        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(4500));
        assertThat(paced.get()).isEqualTo(3);
        assertThat(behind).hasSize(1);
    }

    static List<Throwable> reasonsOfCounters() {
        return List.of(new RejectedExecutionException("busy"), new Error("no thread can be started"));
    }

    @ParameterizedTest
    @MethodSource("reasonsOfCounters")
    void whenNoCounterTakesItWhoAsksCounts(Throwable reason) {
        AtomicInteger counts = new AtomicInteger();
        AtomicLong now = new AtomicLong();
        Paced<Integer> paced = new Paced<>(counts::incrementAndGet, now::get, task -> sneak(reason));
        assertThat(paced.get()).isEqualTo(1);

        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2500));
        assertThat(paced.get()).isEqualTo(2);
    }

    private static void sneak(Throwable reason) {
        if (reason instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) reason;
    }

    @Test
    void whatHasACounterOfItsOwnIsCountedAgainAlsoWhileAllOthersAreSlow() {
        CompletableFuture<Integer> database = new CompletableFuture<>();
        try {
            for (int i = 0; i < 2; i++) {
                AtomicInteger slow = new AtomicInteger();
                awaitSecondCount(new Paced<>(() -> slow.incrementAndGet() == 1 ? 1 : database.join()), slow);
            }
            AtomicInteger counts = new AtomicInteger();
            awaitSecondCount(Paced.alone(counts::incrementAndGet), counts);
        } finally {
            database.complete(2);
        }
    }

    private static void awaitSecondCount(Paced<Integer> paced, AtomicInteger counts) {
        await().atMost(8, TimeUnit.SECONDS).until(() -> {
            assertThat(paced.get()).isPositive();
            return counts.get() > 1;
        });
    }

    @Test
    void aFailureIsRememberedSoThatTheNextDoNotWaitForTheDatabase() {
        AtomicInteger counts = new AtomicInteger();
        Supplier<Integer> frozen = () -> {
            counts.incrementAndGet();
            throw new IllegalStateException("the database does not answer");
        };
        Paced<Integer> paced = new Paced<>(frozen);

        assertThatThrownBy(paced::get).hasMessageContaining("does not answer");
        assertThatThrownBy(paced::get).hasMessageContaining("does not answer");
        assertThat(counts).hasValue(1);
        await().atMost(20, TimeUnit.SECONDS).until(() -> {
            assertThatThrownBy(paced::get).hasMessageContaining("does not answer");
            return counts.get() > 1;
        });
    }

    @Test
    void whileTheFirstCountTakesLongFewThreadsWaitAndOthersHearOfIt() throws Exception {
        CompletableFuture<Integer> database = new CompletableFuture<>();
        Paced<Integer> paced = new Paced<>(database::join);
        List<CompletableFuture<Integer>> asked = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            asked.add(CompletableFuture.supplyAsync(paced::get, threads));
        }

        await().until(() -> asked.stream().filter(CompletableFuture::isDone).count() == 21);
        assertThatThrownBy(paced::get)
                .hasMessageContaining("ask again")
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.retrySeconds()).isEqualTo(5));
        database.complete(7);
        await().until(() -> asked.stream().allMatch(CompletableFuture::isDone));
        assertThat(asked.stream().filter(one -> !one.isCompletedExceptionally()))
                .hasSize(9);
        assertThat(paced.get()).isEqualTo(7);
    }
}
