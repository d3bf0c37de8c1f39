package dev.weir.job.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingTest {

    private final Waiting waiting = new Waiting(3, 100);

    @Test
    void noMoreThanTheLimitWait() {
        assertThat(waiting.enter(1)).isTrue();
        assertThat(waiting.enter(1)).isTrue();
        assertThat(waiting.enter(1)).isTrue();
        assertThat(waiting.enter(1)).isFalse();

        waiting.leave(1);

        assertThat(waiting.enter(1)).isTrue();
    }

    @Test
    void aLargeMessageHasRoomOnlyAlone() {
        assertThat(waiting.enter(1000)).isTrue();
        assertThat(waiting.enter(1)).isFalse();

        waiting.leave(1000);

        assertThat(waiting.enter(60)).isTrue();
        assertThat(waiting.enter(60)).isFalse();
    }
}
