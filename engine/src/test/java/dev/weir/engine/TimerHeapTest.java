package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TimerHeapTest {

    private enum Kind {
        SOME
    }

    private final TimerHeap heap = new TimerHeap();

    private static Timer timer() {
        return new Timer(Kind.SOME, null);
    }

    private List<Timer> due(long now) {
        List<Timer> due = new ArrayList<>();
        for (Timer timer = heap.pollDue(now); timer != null; timer = heap.pollDue(now)) {
            due.add(timer);
        }
        return due;
    }

    @Test
    void timersOfOneTimeComeInTheOrderInWhichTheyWereSet() {
        Timer[] timers = new Timer[100];
        for (int i = 0; i < timers.length; i++) {
            timers[i] = timer();
            heap.set(timers[i], 7);
        }

        assertThat(due(6)).isEmpty();
        assertThat(due(7)).containsExactly(timers);
        assertThat(heap.nextAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTimerThatIsSetLaterIsNotDueAtItsEarlierTime() {
        Timer timer = timer();
        heap.set(timer, 5);
        heap.set(timer, 9);
        heap.set(timer, 8);

        assertThat(due(7)).isEmpty();
        assertThat(heap.nextAt()).isEqualTo(8);
        assertThat(due(8)).containsExactly(timer);
        assertThat(timer.isSet()).isFalse();
    }

    @Test
    void whateverIsSetMovedAndClearedExactlyWhatIsDueComesAndEarlierTimesFirst() {
        Random random = new Random(3);
        Timer[] timers = new Timer[300];
        for (int i = 0; i < timers.length; i++) {
            timers[i] = timer();
        }
        long now = 0;
        for (int step = 0; step < 20_000; step++) {
            Timer timer = timers[random.nextInt(timers.length)];
            if (random.nextInt(4) == 0) {
                heap.clear(timer);
            } else {
                heap.set(timer, now + random.nextInt(500));
            }
            assertThat(heap.nextAt() <= earliest(timers)).isTrue();
            if (random.nextInt(10) == 0) {
                now += random.nextInt(50);
                Set<Timer> expected = new HashSet<>();
                for (Timer one : timers) {
                    if (one.isSet() && one.at <= now) {
                        expected.add(one);
                    }
                }
                List<Timer> due = due(now);
                assertThat(due).doesNotHaveDuplicates().hasSameElementsAs(expected);
                assertThat(due).isSortedAccordingTo((a, b) -> Long.compare(a.at, b.at));
            }
        }
    }

    @Test
    void timersThatWereClearedAreNotKept() {
        Timer last = timer();
        heap.set(last, Long.MAX_VALUE - 1);
        for (int i = 0; i < 10_000; i++) {
            Timer timer = timer();
            heap.set(timer, 1_000_000 - i);
            heap.clear(timer);
        }

        assertThat(heap.size()).isLessThan(100);
        assertThat(heap.nextAt()).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(last.isSet()).isTrue();
    }

    private static long earliest(Timer[] timers) {
        long earliest = Long.MAX_VALUE;
        for (Timer timer : timers) {
            if (timer.isSet()) {
                earliest = Math.min(earliest, timer.at);
            }
        }
        return earliest;
    }
}
