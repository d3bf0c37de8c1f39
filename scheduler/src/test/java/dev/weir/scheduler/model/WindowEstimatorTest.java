package dev.weir.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowEstimatorTest {

    private final WindowEstimator handover = new WindowEstimator();

    @Test
    void longJobsNeedLittleMoreThanOneForEachPilot() {
        for (int i = 0; i < 100; i++) {
            handover.jobEnded(60_000, 59_000);
        }
        assertThat(handover.wanted(100)).isEqualTo(100 + 1 + 20);
    }

    @Test
    void reportsThatPiledUpDuringAnOutageDoNotMakeJobsLookShort() {
        for (int i = 0; i < 50; i++) {
            handover.jobEnded(4_000, 4_000);
        }
        int before = handover.wanted(2);
        // Their starts and their ends are heard in the same millisecond; the pilot says how long they ran.
        for (int i = 0; i < 50; i++) {
            handover.jobEnded(0, 4_000);
        }
        handover.beatCameBack(80_000);
        handover.beatCameBack(4);

        assertThat(handover.wanted(2)).isLessThanOrEqualTo(before);
    }

    @Test
    void oneBeatThatWaitedOutAnOutageIsNotTheLatency() {
        for (int i = 0; i < 10; i++) {
            handover.jobEnded(10, 10);
            handover.beatCameBack(4);
        }
        int before = handover.wanted(40);
        handover.beatCameBack(80_000);

        assertThat(handover.wanted(40)).isEqualTo(before);
    }

    @Test
    void aBrokerThatIsReallySlowerIsSeenWithinFourBeats() {
        for (int i = 0; i < 10; i++) {
            handover.jobEnded(10, 10);
            handover.beatCameBack(4);
        }
        int before = handover.wanted(40);
        for (int i = 0; i < 4; i++) {
            handover.beatCameBack(40);
        }
        assertThat(handover.wanted(40)).isGreaterThan(2 * before);
    }

    @Test
    void afterShortJobsComeLongOnesTheWindowShrinksWithinFiftyOfThem() {
        handover.beatCameBack(500);
        for (int i = 0; i < 1_000; i++) {
            handover.jobEnded(10, 10);
        }
        assertThat(handover.wanted(2)).isGreaterThan(100);
        for (int i = 0; i < 50; i++) {
            handover.jobEnded(60_000, 60_000);
        }
        assertThat(handover.wanted(2)).isLessThan(10);
    }
}
