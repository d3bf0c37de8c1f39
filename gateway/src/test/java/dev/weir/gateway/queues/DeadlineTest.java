package dev.weir.gateway.queues;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Answers that are asked for together")
class DeadlineTest {

    @Test
    @DisplayName("fail when they are late; those that came in time stay")
    void late() throws Exception {
        Deadline deadline = new Deadline(3, 50);
        List<CompletableFuture<String>> answers =
                Stream.generate(CompletableFuture<String>::new).limit(3).toList();
        answers.forEach(deadline::holdFor);
        answers.get(1).complete("here");

        assertThat(answers.get(0))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class);
        assertThat(answers.get(2))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class);
        assertThat(answers.get(1)).isCompletedWithValue("here");
        assertThat(deadline.leftMillis()).isLessThanOrEqualTo(0);
    }

    @Test
    @DisplayName("leave no timer behind when the last one has come")
    void done() {
        Deadline deadline = new Deadline(2, 60_000);
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        deadline.holdFor(first);
        deadline.holdFor(second);

        first.complete("here");
        assertThat(deadline.isOver()).isFalse();
        second.completeExceptionally(new IllegalStateException("the broker is away"));

        assertThat(deadline.isOver()).isTrue();
    }
}
