package dev.weir.connectors.rabbitmq.source.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.FrameProxy;
import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Brokers that answer late, or not as they should, seen through a proxy. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LateAnswersTest {

    /** What may go on for a test; long enough on a busy machine. */
    private static final Duration SOME_TIME = Duration.ofSeconds(60);

    /** How long an answer may take: long enough for those that are not late. */
    private static final int ANSWER_MILLIS = 5_000;

    private static final int BASIC = 60;
    private static final int QOS_OK = 11;
    private static final int QUEUE = 50;
    private static final int DECLARE_OK = 11;
    private static final int CHANNEL = 20;
    private static final int OPEN = 10;
    private static final int CLOSE = 40;

    private static Consumers consumers(TestBroker broker, Topology topology, String queue) {
        Consumers consumers = new Consumers(
                new SourceOptions(
                        new Broker(broker.config(), null, null, ANSWER_MILLIS),
                        List.of(queue),
                        topology,
                        new BackOff(Duration.ofMillis(20), Duration.ofMillis(100), Duration.ofMinutes(10)),
                        false,
                        delivery -> "",
                        10,
                        1 << 20,
                        10,
                        Duration.ofMinutes(30),
                        Bound.untilEmpty()),
                "late");
        consumers.add(List.of(queue));
        return consumers;
    }

    /** The next event of a kind, keeping open what is to be open; others are passed over. */
    private static <E extends ConsumerEvent> E next(Consumers consumers, Class<E> kind) throws Exception {
        return drainUntil(consumers, "", kind);
    }

    /** The same, asking meanwhile whether a queue is empty. */
    private static <E extends ConsumerEvent> E drainUntil(Consumers consumers, String queue, Class<E> kind)
            throws Exception {
        long end = System.nanoTime() + SOME_TIME.toNanos();
        while (System.nanoTime() < end) {
            consumers.keepOpen();
            consumers.drain(queue);
            ConsumerEvent event = consumers.next(Duration.ofMillis(20));
            if (kind.isInstance(event)) {
                return kind.cast(event);
            }
        }
        throw new AssertionError("no " + kind.getSimpleName());
    }

    /** The client gives an answer up after a time; that of another question would then be taken for the one that comes late. */
    @Test
    void aChannelWhoseQuestionWhetherTheQueueIsEmptyIsAnsweredTooLateIsLeftAndItsMessagesComeAgainOnAnother()
            throws Exception {
        TestBroker rabbit = SharedRabbit.orSkip();
        CountDownLatch mayAnswer = new CountDownLatch(1);
        AtomicBoolean late = new AtomicBoolean(true);
        try (TextQueues queues = new TextQueues(rabbit);
                FrameProxy proxy = new FrameProxy(rabbit, method -> {
                    if (method.fromBroker() && method.is(QUEUE, DECLARE_OK) && late.compareAndSet(true, false)) {
                        await(mayAnswer);
                    }
                })) {
            String queue = queues.create("late-depth");
            queues.write(queue, List.of("precious"));
            try (Consumers consumers = consumers(proxy, Topology.NONE, queue)) {
                consumers.expectAcknowledgements();
                ConsumerEvent.Delivered first = next(consumers, ConsumerEvent.Delivered.class);
                ConsumerEvent.Interrupted left = drainUntil(consumers, queue, ConsumerEvent.Interrupted.class);
                assertThat(left.why()).contains("did not answer queue.declare");
                mayAnswer.countDown();
                long tag = first.delivery().envelope().getDeliveryTag();
                assertThat(consumers.acknowledge(queue, first.channel(), tag))
                        .as("acknowledging on a channel that was given up")
                        .isFalse();
                consumers.interrupted(left);
                ConsumerEvent.Delivered again = next(consumers, ConsumerEvent.Delivered.class);
                assertThat(again.delivery().body()).isEqualTo(first.delivery().body());
                assertThat(again.channel()).isNotEqualTo(first.channel());
                long newTag = again.delivery().envelope().getDeliveryTag();
                assertThat(consumers.acknowledge(queue, again.channel(), newTag))
                        .isTrue();
                drainUntil(consumers, queue, ConsumerEvent.Drained.class);
            }
            Awaitility.await().atMost(SOME_TIME).until(() -> queues.ready(queue) == 0);
        }
    }

    /** A broker that counts the prefetch of a channel is told a larger one when it is to deliver more. */
    @Test
    void aChannelWhoseQosIsAnsweredTooLateIsLeftAndWithoutCheckpointsTheReadingFails() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        AtomicInteger answers = new AtomicInteger();
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker);
                FrameProxy proxy = new FrameProxy(broker, method -> {
                    // The first is that of the opening.
                    if (method.fromBroker() && method.is(BASIC, QOS_OK) && answers.incrementAndGet() == 2) {
                        await(mayAnswer);
                    }
                })) {
            String queue = queues.create("late-qos");
            queues.write(queue, IntStream.range(0, 25).mapToObj(n -> "m" + n).toList());
            try (Consumers consumers = consumers(proxy, Topology.NONE, queue)) {
                for (int n = 0; n < 10; n++) {
                    next(consumers, ConsumerEvent.Delivered.class);
                }
                ConsumerEvent event = null;
                long end = System.nanoTime() + SOME_TIME.toNanos();
                while (event == null && System.nanoTime() < end) {
                    consumers.lookForStandstill(queue);
                    event = consumers.next(Duration.ofMillis(20));
                }
                mayAnswer.countDown();
                assertThat(event).isInstanceOfSatisfying(ConsumerEvent.Interrupted.class, left -> {
                    assertThat(left.why()).contains("did not answer a question for more messages");
                    assertThatThrownBy(() -> consumers.interrupted(left))
                            .hasMessageContaining("Queue " + queue)
                            .hasMessageContaining("did not answer a question for more messages")
                            .hasMessageContaining("a restart reads them anew");
                });
            }
            Awaitility.await().atMost(SOME_TIME).until(() -> queues.ready(queue) == 25);
        }
    }

    /** A task that is cancelled then would stand still until the client gives the answer up. */
    @Test
    void theWaitForAnAnswerOfTheBrokerCanBeInterrupted() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        AtomicInteger answers = new AtomicInteger();
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker);
                FrameProxy proxy = new FrameProxy(broker, method -> {
                    // The first is that of the opening.
                    if (method.fromBroker() && method.is(BASIC, QOS_OK) && answers.incrementAndGet() == 2) {
                        asked.countDown();
                        await(mayAnswer);
                    }
                })) {
            String queue = queues.create("interrupted");
            queues.write(queue, List.of("any"));
            try (Consumers consumers = consumers(proxy, Topology.NONE, queue)) {
                long channel = next(consumers, ConsumerEvent.Delivered.class).channel();
                FutureTask<Boolean> heard = new FutureTask<>(() -> consumers.isAnswered(queue, channel));
                Thread task = new Thread(heard);
                task.start();
                await(asked);
                task.interrupt();
                assertThat(heard.get(5, TimeUnit.SECONDS)).isFalse();
                mayAnswer.countDown();
            }
        }
    }

    @Test
    void aQueueIsOpenedAgainWhenTheFirstQosIsNotAnswered() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        AtomicBoolean late = new AtomicBoolean(true);
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker);
                FrameProxy proxy = new FrameProxy(broker, method -> {
                    if (method.fromBroker() && method.is(BASIC, QOS_OK) && late.compareAndSet(true, false)) {
                        await(mayAnswer);
                    }
                })) {
            String queue = queues.create("unopened");
            queues.write(queue, List.of("patience"));
            try (Consumers consumers = consumers(proxy, Topology.NONE, queue)) {
                assertThat(consumers.keepOpen()).as("pause before the next try").isPositive();
                mayAnswer.countDown();
                assertThat(next(consumers, ConsumerEvent.Delivered.class)
                                .delivery()
                                .body())
                        .isEqualTo("patience".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As RabbitMQ says of a quorum queue that has no leader. */
    @Test
    void aQueueThatSeemsToHaveNoConsumerIsNotLostOnABrokerThatTellsOfCancelledOnes() throws Exception {
        TestBroker rabbit = SharedRabbit.orSkip();
        AtomicInteger told = new AtomicInteger();
        try (TextQueues queues = new TextQueues(rabbit);
                FrameProxy proxy = new FrameProxy(rabbit, method -> {
                    if (method.fromBroker() && method.is(QUEUE, DECLARE_OK)) {
                        // The last four bytes: how many consumers there are.
                        method.payload().putInt(method.payload().limit() - Integer.BYTES, 0);
                        told.incrementAndGet();
                    }
                })) {
            String queue = queues.create("leaderless");
            try (Consumers consumers = consumers(proxy, Topology.NONE, queue)) {
                consumers.keepOpen();
                consumers.refreshDepths();
                assertThat(told).hasValue(1);
                queues.write(queue, List.of("still here"));
                ConsumerEvent next = consumers.next(SOME_TIME);
                assertThat(next).isInstanceOf(ConsumerEvent.Delivered.class);
            }
        }
    }

    /** Here because an argument cannot be encoded; the same when a broker does not answer a declaration in time. */
    @Test
    void aChannelOnWhichADeclarationFailedIsClosedBeforeTheNextTry() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                FrameProxy proxy = new FrameProxy(broker, method -> {
                    opened.addAndGet(!method.fromBroker() && method.is(CHANNEL, OPEN) ? 1 : 0);
                    closed.addAndGet(!method.fromBroker() && method.is(CHANNEL, CLOSE) ? 1 : 0);
                })) {
            Topology unusable = Topology.NONE.withQueue(
                    new Topology.Queue("q", Map.of("x-strange", new StringBuilder()), Map.of()));
            try (Consumers consumers = consumers(proxy, unusable, "q")) {
                while (opened.get() < 5) {
                    consumers.keepOpen();
                    consumers.next(Duration.ofMillis(20));
                }
                assertThat(closed).hasValue(opened.get());
            }
        }
    }
}
