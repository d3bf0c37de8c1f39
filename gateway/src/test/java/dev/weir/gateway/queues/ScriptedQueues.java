package dev.weir.gateway.queues;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.protocol.queue.LastAnswer;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Queues that answer when the test says so, and a clock that goes when it says so. */
final class ScriptedQueues implements Asking, Ticker {

    /** What was asked, and the answer that is to come. */
    record Open(QueueEntry.Answer entry, long endNanos, CompletableFuture<QueueAnswer> answer) {}

    final List<Open> asked = new ArrayList<>();
    private long nanos = 17;

    @Override
    public long read() {
        return nanos;
    }

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Override
    public CompletableFuture<QueueAnswer> ask(LongFunction<? extends QueueEntry> entry, long waitMillis) {
        CompletableFuture<QueueAnswer> answer = new CompletableFuture<>();
        QueueEntry.Answer made = (QueueEntry.Answer) entry.apply(asked.size());
        assertThat((long) made.waitMs()).isEqualTo(waitMillis);
        asked.add(new Open(made, nanos + Duration.ofMillis(waitMillis).toNanos(), answer));
        return answer;
    }

    QueueEntry.Answer last() {
        return asked.get(asked.size() - 1).entry;
    }

    void answer(QueueAnswer answer) {
        answer(asked.size() - 1, answer);
    }

    void answer(int i, QueueAnswer answer) {
        asked.get(i).answer.complete(answer);
    }

    void answerThoseWhoseTimeIsOver(QueueAnswer answer) {
        for (Open one : List.copyOf(asked)) {
            if (nanos >= one.endNanos) {
                one.answer.complete(answer);
            }
        }
    }

    /** How many wait for their answers. */
    int open() {
        return (int) asked.stream().filter(one -> !one.answer.isDone()).count();
    }

    /** The last one has waited as long as it was to, in vain. */
    void passWithout() {
        pass(Duration.ofMillis(last().waitMs()));
        answer(QueueAnswer.of(0, Status.PENDING));
    }

    static QueueAnswer answer(Status status, String result, long ageMs, long freshMs) {
        return QueueAnswer.answered(0, status, new LastAnswer(new Payload(result), ageMs, freshMs, 60_000));
    }
}
