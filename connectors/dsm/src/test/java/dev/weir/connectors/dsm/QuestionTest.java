package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuestionTest {

    private final Queue<Runnable> workers = new ArrayDeque<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void stop() {
        clock.shutdownNow();
    }

    private Question<String> question(Duration totalTime) {
        return question(totalTime, new Turns(workers::add, 1, 10));
    }

    private Question<String> question(Duration totalTime, Turns turns) {
        DsmReaderOptions options = DsmReaderOptions.at(URI.create("http://dsm.example"))
                .with(new DsmReaderOptions.Retries(
                        3, totalTime, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ZERO));
        return new Question<>(
                "http://dsm.example/dataset/d",
                () -> {
                    asked.incrementAndGet();
                    return CompletableFuture.completedFuture("a page");
                },
                options,
                false,
                new Failing().standing("d", false),
                turns,
                clock);
    }

    @Test
    void whatWaitedForItsFirstTurnForMuchLongerThanItMayTakeIsUnavailableAndIsNotAsked() {
        Duration totalTime = Duration.ofMillis(1);
        Question<String> question = question(totalTime);
        question.ask();
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 200 * totalTime.toNanos()) {
            Thread.onSpinWait();
        }

        workers.remove().run();

        assertThat(asked).hasValue(0);
        assertThat(question.answer()).isCompletedExceptionally();
        assertThatThrownBy(question.answer()::join)
                .cause()
                .isInstanceOfSatisfying(
                        DsmFailure.class, failure -> assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE))
                .hasMessageContaining("turn")
                .hasMessageContaining("0 attempts");
    }

    @Test
    void whatNoThreadCanAskIsUnavailableAndKeepsNoPlaceFromTheNext() {
        AtomicInteger started = new AtomicInteger();
        Turns turns = new Turns(
                work -> {
                    if (started.incrementAndGet() == 1) {
                        throw new Error("no thread can be started");
                    }
                    work.run();
                },
                1,
                10);
        Question<String> first = question(Duration.ofSeconds(2), turns);
        first.ask();
        assertThatThrownBy(first.answer()::join)
                .cause()
                .isInstanceOfSatisfying(
                        DsmFailure.class, failure -> assertThat(failure.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE))
                .hasMessageContaining("no thread could ask it");

        Question<String> next = question(Duration.ofSeconds(2), turns);
        next.ask();

        assertThat(next.answer()).isCompletedWithValue("a page");
    }

    @Test
    void whatGetsItsFirstTurnLateIsAskedAllTheSame() {
        Duration totalTime = Duration.ofSeconds(2);
        Question<String> question = question(totalTime);
        question.ask();
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < totalTime.toNanos()) {
            Thread.onSpinWait();
        }

        workers.remove().run();

        assertThat(question.answer()).isCompletedWithValue("a page");
    }
}
