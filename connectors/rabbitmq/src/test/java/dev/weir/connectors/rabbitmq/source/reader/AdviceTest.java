package dev.weir.connectors.rabbitmq.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdviceTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

    @Test
    void aWindowSmallerThanTwiceRateTimesIntervalIsWarnedAbout() {
        WindowAdvice advice = new WindowAdvice(100);
        assertThat(advice.afterCheckpoint(0, Map.of("q", 0L))).isEmpty();
        assertThat(advice.afterCheckpoint(SECOND, Map.of("q", 50L))).isEmpty();
        assertThat(advice.afterCheckpoint(2 * SECOND, Map.of("q", 101L)))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("2 × rate × checkpoint interval")
                        .contains("setPrefetch"));
        assertThat(advice.afterCheckpoint(3 * SECOND, Map.of("q", 300L))).isEmpty();
    }

    @Test
    void oneBusyQueueIsNotHiddenByIdleOnes() {
        WindowAdvice advice = new WindowAdvice(100);
        Map<String, Long> before = Map.of("busy", 1_000L, "idle", 7L, "quiet", 0L);
        assertThat(advice.afterCheckpoint(0, before)).isEmpty();
        assertThat(advice.afterCheckpoint(SECOND, Map.of("busy", 1_060L, "idle", 7L, "quiet", 1L)))
                .hasValueSatisfying(text -> assertThat(text).contains("60 messages of queue busy in 1000 ms"));
    }

    @Test
    void aConfiguredIntervalTooLongForTheConsumerTimeoutIsWarnedAboutBeforeAnyCheckpoint() {
        assertThat(TimeoutAdvice.atStart(Duration.ofMinutes(16), HALF_AN_HOUR))
                .hasValueSatisfying(text -> assertThat(text).contains("consumer_timeout"));
        assertThat(TimeoutAdvice.atStart(Duration.ofMinutes(15), HALF_AN_HOUR)).isEmpty();
    }

    @Test
    void aMessageUnacknowledgedForHalfOfTheConsumerTimeoutIsWarnedAboutWhateverTheReason() {
        TimeoutAdvice advice = new TimeoutAdvice(HALF_AN_HOUR);
        Map<String, Duration> young = Map.of("a", Duration.ofMinutes(15), "b", Duration.ZERO);
        Map<String, Duration> old = Map.of("a", Duration.ofMinutes(16), "b", Duration.ofMinutes(1));
        assertThat(advice.look(0, Map.of())).isEmpty();
        assertThat(advice.look(0, young)).isEmpty();
        assertThat(advice.look(SECOND, old))
                .hasValueSatisfying(text -> assertThat(text).contains("queue a", "960 s", "consumer_timeout"));
        assertThat(advice.look(2 * SECOND, old)).isEmpty();
        assertThat(advice.look(400 * SECOND, old)).isPresent();
    }
}
