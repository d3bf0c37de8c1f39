package dev.weir.gateway.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatheringTest {

    private static final String PUSHES = "push";
    private static final String ENDS = "done";

    private final BlockingQueue<Left> left = new LinkedBlockingQueue<>();
    private final Semaphore mayGoOn = new Semaphore(0);
    private final Gathering gathering = gathering(Duration.ofMillis(4));

    private record Left(String key, List<Long> numbers) {}

    private Gathering gathering(Duration moment) {
        return new Gathering(moment, (key, entries) -> {
            left.add(new Left(key, entries.stream().map(entry -> entry.n).toList()));
            mayGoOn.acquireUninterruptibly();
        });
    }

    @AfterEach
    void close() {
        mayGoOn.release(100);
        gathering.close();
    }

    @Test
    void theEntriesOfOneRequestLeaveTogether() throws InterruptedException {
        gathering.add(entries(PUSHES, 1, 256));

        assertThat(next()).isEqualTo(new Left(PUSHES, numbers(1, 256)));
    }

    @Test
    void entriesThatComeWhileAMessageIsSentLeaveTogetherAfterIt() throws InterruptedException {
        gathering.add(entries(PUSHES, 1, 1));
        next();
        for (int n = 2; n <= 50; n++) {
            gathering.add(entries(PUSHES, n, n));
        }
        mayGoOn.release();

        assertThat(next()).isEqualTo(new Left(PUSHES, numbers(2, 50)));
    }

    @Test
    void entriesWithDifferentRoutingKeysLeaveApart() throws InterruptedException {
        mayGoOn.release(2);
        gathering.add(List.of(
                entries(PUSHES, 1, 1).get(0),
                entries(ENDS, 2, 2).get(0),
                entries(PUSHES, 3, 3).get(0)));

        assertThat(Set.of(next(), next()))
                .containsExactlyInAnyOrder(new Left(PUSHES, List.of(1L, 3L)), new Left(ENDS, List.of(2L)));
    }

    @Test
    void fewRequestsLeaveOneByOneAndManyOnlyWhenTheMomentIsOver() throws InterruptedException {
        mayGoOn.release(100);
        try (Gathering slow = gathering(Duration.ofHours(1))) {
            for (int n = 1; n <= 32; n++) {
                slow.add(entries(PUSHES, n, n));
                assertThat(next()).isEqualTo(new Left(PUSHES, numbers(n, n)));
            }
            slow.add(entries(PUSHES, 33, 33));
            slow.add(entries(PUSHES, 34, 34));
            slow.add(entries(ENDS, 3, 3));
            assertThat(next()).isEqualTo(new Left(ENDS, List.of(3L)));
            assertThat(left).isEmpty();
        }
    }

    @Test
    void onceItIsClosedItTakesNoEntry() {
        gathering.close();
        for (int n = 1; n <= 2; n++) {
            List<Asked> late = entries(PUSHES, n, n);
            assertThatThrownBy(() -> gathering.add(late)).isInstanceOf(RejectedExecutionException.class);
        }
    }

    private Left next() throws InterruptedException {
        return left.poll(30, TimeUnit.SECONDS);
    }

    private static List<Asked> entries(String key, long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(n -> new Asked(n, key, new byte[0], false, new Deadline(1, 60_000)))
                .toList();
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }
}
