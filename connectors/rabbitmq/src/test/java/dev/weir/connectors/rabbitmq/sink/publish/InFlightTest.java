package dev.weir.connectors.rabbitmq.sink.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InFlightTest {

    private static AmqpMessage message(int n) {
        return AmqpMessage.persistent("", "q", "m" + n, new byte[n % 7]);
    }

    @Test
    void aMessageThatIsNeverConfirmedLeavesNoRoomInTheEndThoughAllLaterOnesAre() {
        InFlight inFlight = new InFlight();
        inFlight.add(message(0));
        int made = 1;
        while (inFlight.hasRoom(4, 1 << 20) && made < 1_000) {
            inFlight.add(message(made++));
            inFlight.remove(inFlight.lastSequence());
        }

        assertThat(made).isEqualTo(16 * 4);
        assertThat(inFlight.size()).isEqualTo(1);
        inFlight.remove(1);
        assertThat(inFlight.hasRoom(4, 1 << 20)).isTrue();
    }

    @Test
    void whatIsLeftKeepsItsOrderThroughConfirmsInAnyOrderAndRenumberings() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            InFlight inFlight = new InFlight();
            List<AmqpMessage> expected = new ArrayList<>();
            int made = 0;
            for (int step = 0; step < 2_000; step++) {
                int what = random.nextInt(100);
                if (what < 55) {
                    AmqpMessage message = message(made++);
                    inFlight.add(message);
                    expected.add(message);
                } else if (what < 99 && !expected.isEmpty()) {
                    long sequence = inFlight.firstSequence()
                            + random.nextInt((int) (inFlight.lastSequence() - inFlight.firstSequence() + 1));
                    AmqpMessage confirmed = inFlight.at(sequence);
                    assertThat(inFlight.remove(sequence)).isEqualTo(confirmed != null);
                    expected.removeIf(message -> message == confirmed);
                } else if (what == 99) {
                    inFlight.renumber();
                    assertThat(inFlight.firstSequence()).isEqualTo(1);
                }
                assertThat(inFlight.size()).isEqualTo(expected.size());
            }
            assertThat(inFlight.messages()).containsExactlyElementsOf(expected);
            assertThat(inFlight.bytes())
                    .isEqualTo(expected.stream().mapToLong(AmqpMessage::weight).sum());
        }
    }
}
