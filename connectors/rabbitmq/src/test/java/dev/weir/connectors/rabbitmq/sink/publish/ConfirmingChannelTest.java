package dev.weir.connectors.rabbitmq.sink.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Refused;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ConfirmingChannelTest {

    /** Holds the connection's thread up where it is told that the channel is closed. */
    private static final class Slow implements ConfirmingChannel.Listener {
        private final CountDownLatch told = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final AtomicReference<Exception> failed = new AtomicReference<>();

        @Override
        public void confirmed(ConfirmingChannel on, long sequence, boolean multiple) {}

        @Override
        public void nacked(ConfirmingChannel on, long sequence, boolean multiple) {}

        @Override
        public void returned(ConfirmingChannel on, Return back) {}

        @Override
        public void blocked(ConfirmingChannel on) {}

        @Override
        public void unblocked(ConfirmingChannel on) {}

        @Override
        public void closed(ConfirmingChannel on, ShutdownSignalException cause) {
            told.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void failed(ConfirmingChannel on, Exception cause) {
            failed.set(cause);
        }

        @Override
        public void unencodable(ConfirmingChannel on, AmqpMessage message, RuntimeException cause) {}
    }

    @Test
    void whoeverWritesBeforeTheListenerIsToldOfTheCloseLearnsWhyTheBrokerClosed() throws Exception {
        Slow listener = new Slow();
        SinkOptions options = new SinkOptions(
                new Broker(SharedRabbit.orSkip().config(), null, null),
                Topology.NONE,
                BackOff.DEFAULT,
                10,
                1 << 20,
                1 << 20,
                Duration.ofSeconds(5),
                Unroutable.fail(),
                Refused.fail());
        ConfirmingChannel channel = ConfirmingChannel.open(options, "slow", listener);
        try {
            channel.publish(AmqpMessage.persistent("weir-connector-test.no-exchange", "key", "id", new byte[1]));
            assertThat(listener.told.await(30, TimeUnit.SECONDS)).isTrue();
            channel.publish(AmqpMessage.persistent("", "any", "next", new byte[1]));
            assertThat(Reason.channelCloseCode(listener.failed.get())).isEqualTo(AMQP.NOT_FOUND);
        } finally {
            listener.mayGoOn.countDown();
            channel.cutOff();
        }
    }
}
