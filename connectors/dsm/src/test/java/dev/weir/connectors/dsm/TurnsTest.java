package dev.weir.connectors.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.dsm.Turns.Rank;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final Queue<Runnable> workers = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final Turns turns = new Turns(workers::add, 8, 100);

    private void ask(Rank rank, int times) {
        for (int i = 0; i < times; i++) {
            turns.execute(rank, () -> done.add(rank.name()));
        }
    }

    private void oneEnds() {
        workers.remove().run();
    }

    @Test
    void whatFailsNeverHoldsMoreThanHalfOfTheWorkers() {
        ask(Rank.FAILING, 50);

        assertThat(workers).hasSize(4);
    }

    @Test
    void whatNothingIsKnownOfLeavesRoomForWhatIsKnownToAnswer() {
        ask(Rank.NEW, 50);
        assertThat(workers).hasSize(6);

        ask(Rank.GOES_ON, 5);

        assertThat(workers).hasSize(8);
    }

    @Test
    void whatIsKnownToAnswerMayUseAllWorkersAndLeavesNoMoreThanOneWhileItWaits() {
        ask(Rank.GOES_ON, 20);
        ask(Rank.NEW, 5);
        assertThat(workers).hasSize(8);

        for (int i = 0; i < 16; i++) {
            oneEnds();
        }

        assertThat(done).filteredOn("NEW"::equals).hasSize(1);
    }

    @Test
    void whatNothingIsKnownOfIsServedByOneWorkerThoughOthersAlwaysGoOn() {
        ask(Rank.GOES_ON, 40);
        ask(Rank.NEW, 2);

        // Every dataset that goes on has its next page asked for as soon as it was given one.
        for (int i = 0; i < 40; i++) {
            oneEnds();
            ask(Rank.GOES_ON, 1);
        }

        assertThat(done).filteredOn("NEW"::equals).hasSize(2);
    }

    @Test
    void threeWorkersServeEveryRankHoweverMuchOfEachWaits() {
        Turns narrow = new Turns(workers::add, 3, 1000);
        for (Rank rank : Rank.values()) {
            for (int i = 0; i < 50; i++) {
                narrow.execute(rank, () -> done.add(rank.name()));
            }
        }

        for (int i = 0; i < 12; i++) {
            oneEnds();
        }

        assertThat(done).contains("GOES_ON", "NEW", "FAILING");
    }

    @Test
    void whatFailsIsTriedByOneWorkerHoweverMuchElseWaits() {
        ask(Rank.GOES_ON, 30);
        ask(Rank.FAILING, 2);

        for (int i = 0; i < 12; i++) {
            oneEnds();
        }

        assertThat(done).contains("FAILING");
    }

    @Test
    void aSingleWorkerServesAllRanks() {
        Turns narrow = new Turns(workers::add, 1, 100);
        for (Rank rank : List.of(Rank.FAILING, Rank.NEW, Rank.GOES_ON)) {
            narrow.execute(rank, () -> done.add(rank.name()));
        }

        while (!workers.isEmpty()) {
            oneEnds();
        }

        assertThat(done).containsExactly("FAILING", "GOES_ON", "NEW");
    }

    @Test
    void moreThanMayWaitIsRefused() {
        ask(Rank.NEW, 106);

        assertThatThrownBy(() -> ask(Rank.NEW, 1)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void aWorkerIsFreeAgainWhenItsWorkThrows() {
        Turns narrow = new Turns(workers::add, 1, 100);
        narrow.execute(Rank.NEW, () -> {
            throw new IllegalStateException("broken");
        });
        narrow.execute(Rank.NEW, () -> done.add("next"));

        assertThatThrownBy(this::oneEnds).isInstanceOf(IllegalStateException.class);
        oneEnds();

        assertThat(done).containsExactly("next");
    }
}
