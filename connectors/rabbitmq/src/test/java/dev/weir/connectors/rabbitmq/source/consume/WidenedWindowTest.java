package dev.weir.connectors.rabbitmq.source.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.suite.ReaderOptions;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sender of a few large messages must not slow a queue down for as long as its reader lives. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WidenedWindowTest {

    private static final int BODY = 100_000;
    private static final int LARGE = 30;
    private static final int SMALL = 40;
    private static final int ROOM = 10 * BODY;

    private final AtomicLong nanos = new AtomicLong();

    private Consumers consumers(EmbeddedBroker broker, String queue) {
        SourceOptions options = ReaderOptions.withRoom(broker, queue, ROOM);
        Consumers consumers = new Consumers(options, "widened", new Buffered(ROOM, nanos::get));
        consumers.add(List.of(queue));
        return consumers;
    }

    private static String filled(TextQueues queues, String name) throws Exception {
        String queue = queues.create(name);
        for (int n = 0; n < LARGE; n++) {
            queues.publish(queue, "l" + n, n + "x".repeat(BODY));
        }
        queues.awaitConfirms();
        return queue;
    }

    /** Takes so many messages, and acknowledges them if it is to. */
    private static void take(Consumers consumers, int count, boolean acknowledge) throws Exception {
        for (int taken = 0; taken < count; ) {
            consumers.keepOpen();
            ConsumerEvent event = consumers.next(Duration.ofMillis(20));
            if (event instanceof ConsumerEvent.Interrupted interrupted) {
                consumers.interrupted(interrupted);
            } else if (event instanceof ConsumerEvent.Delivered delivered) {
                var delivery = delivered.delivery();
                consumers.handled(delivery);
                boolean counts = !acknowledge
                        || consumers.acknowledge(
                                delivery.queue(),
                                delivered.channel(),
                                delivery.envelope().getDeliveryTag());
                taken += counts ? 1 : 0;
            }
        }
    }

    /** What has been fetched is in memory until it has become a record. */
    @Test
    void aQueueThatWasTooLargeIsOpenedAgainWhenHalfOfTheRoomIsFree() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String queue = filled(queues, "crowded");
            try (Consumers consumers = consumers(broker, queue)) {
                consumers.keepOpen();
                Awaitility.await().until(() -> queues.ready(queue) == LARGE);
                List<Delivery> fetched = new ArrayList<>();
                Awaitility.await().until(() -> {
                    ConsumerEvent event = consumers.next(Duration.ZERO);
                    if (event instanceof ConsumerEvent.Delivered delivered) {
                        fetched.add(delivered.delivery());
                    } else if (event instanceof ConsumerEvent.Interrupted interrupted) {
                        consumers.interrupted(interrupted);
                    }
                    return event instanceof ConsumerEvent.Interrupted;
                });
                // The back-off ends after a tenth of a second.
                Awaitility.await().during(Duration.ofMillis(300)).until(() -> {
                    consumers.keepOpen();
                    return consumers.reconnects() == 0;
                });

                fetched.forEach(consumers::handled);

                take(consumers, LARGE, true);
                assertThat(consumers.reconnects()).isEqualTo(1);
            }
        }
    }

    @Test
    void aWindowThatLargeMessagesMadeNarrowIsAsConfiguredTenMinutesLater() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String queue = filled(queues, "widened");
            try (Consumers consumers = consumers(broker, queue)) {
                consumers.keepOpen();
                // Nothing is taken: what there is no room for goes back.
                Awaitility.await().until(() -> queues.ready(queue) == LARGE);
                take(consumers, LARGE, true);
                assertThat(consumers.reconnects()).isEqualTo(1);
                queues.write(
                        queue, IntStream.range(0, SMALL).mapToObj(n -> "s" + n).toList());
                take(consumers, 1, false);
                assertThat(consumers.keepOpen()).as("nothing to open").isNull();
                assertThat(consumers.reconnects()).isEqualTo(1);

                nanos.addAndGet(Buffered.NARROW_FOR.toNanos());
                take(consumers, SMALL, false);
                assertThat(consumers.reconnects()).isEqualTo(2);
            }
        }
    }
}
