package dev.weir.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class NewestRowTest {

    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final Instant HEARD = NOW.minusSeconds(600);

    @Test
    void aRowFromTheFutureDoesNotHideThatNothingIsHeard() {
        assertThat(Overview.newest(NOW.plusSeconds(86_400), HEARD, NOW)).isEqualTo(HEARD);
    }

    @Test
    void otherwiseTheNewestRowSaysWhenTheSchedulerWasHeard() {
        assertThat(Overview.newest(NOW.minusSeconds(5), HEARD, NOW)).isEqualTo(NOW.minusSeconds(5));
        assertThat(Overview.newest(null, HEARD, NOW)).isNull();
    }
}
