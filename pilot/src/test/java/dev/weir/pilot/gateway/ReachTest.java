package dev.weir.pilot.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReachTest {

    private static final Duration RECONNECT_FOR = Duration.ofSeconds(20);

    private final AtomicLong nanos = new AtomicLong();
    private final Reach reach = new Reach(
            "p1",
            new GatewaySettings(
                    URI.create("http://127.0.0.1:1"),
                    "weir_token",
                    null,
                    List.of("cpu"),
                    Duration.ofSeconds(30),
                    Duration.ofMillis(10),
                    Duration.ofMillis(50),
                    RECONNECT_FOR,
                    null),
            nanos::get);

    @Test
    void theTimeOfAnAnswerThatIsWaitedForIsNoTimeWithoutAGateway() {
        reach.answered();
        nanos.addAndGet(Duration.ofSeconds(30).toNanos());
        reach.failed(new IOException("connection reset"));

        assertThat(reach.gaveUp()).isNull();

        nanos.addAndGet(RECONNECT_FOR.toNanos() + 1);
        reach.failed(new IOException("connection refused"));

        assertThat(reach.gaveUp()).contains("no connection to", "connection refused");
    }

    @Test
    void aGatewayThatNeverAnswersIsGivenUp() {
        nanos.addAndGet(RECONNECT_FOR.toNanos() + 1);

        reach.failed(new IOException("connection refused"));

        assertThat(reach.gaveUp()).contains("no connection to");
    }
}
