package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Item.IfPresent;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A key does not start again so soon after it has finished. */
class GraceTest {

    private static final int HOUR = 3_600;
    private final Lab lab = new Lab();

    GraceTest() {
        lab.queue(settings(0));
    }

    private static QueueSettings settings(int freshS) {
        return new QueueSettings(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                HOUR,
                freshS,
                null,
                null,
                Refresh.ALWAYS,
                null);
    }

    private void run() {
        lab.finish(lab.pop());
    }

    private void startsInAnHour(Instant from) {
        assertThat(lab.show("a").notBefore()).isEqualTo(from.plusSeconds(HOUR));
        assertThat(lab.pop()).isNull();
        lab.pass(HOUR);
        run();
    }

    private Instant now() {
        return Instant.ofEpochMilli(lab.now);
    }

    @Test
    void aPushWaitsForIt() {
        lab.push("a");
        run();

        assertThat(lab.push("a").status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.item("a", 1)).status()).isEqualTo(Status.RAISED);
        startsInAnHour(now());
    }

    @Test
    void aPushThatReplacesWhatWaitsForItDoesSoToo() {
        lab.push("a");
        run();
        lab.push("a");
        Item other = new Item("a", null, null, 1, null, null, null, null, null, null, IfPresent.REPLACE);

        assertThat(lab.push(other).status()).isEqualTo(Status.REPLACED);
        startsInAnHour(now());
    }

    @Test
    void aKeyThatRunsAgainWaitsForItAndMakesUpForMissedRunsByOne() {
        lab.push(AgainTest.item("a", AgainTest.every(60)));
        for (int i = 0; i < 2; i++) {
            Instant end = now();
            run();
            assertThat(lab.show("a").notBefore()).isEqualTo(end.plusSeconds(HOUR));
            lab.pass(HOUR);
        }
        run();
        assertThat(lab.pop()).isNull();
    }

    @Test
    void anAnswerThatEndsBeforeItIsLookedUpAnewAfterIt() {
        lab.queue(settings(60));
        lab.push("a");
        run();

        startsInAnHour(now());
    }
}
