package dev.weir.connectors.rabbitmq.suite;

import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test on the RabbitMQ that this machine shares, with queues that are deleted after it; skipped where there is none. */
public abstract class OnSharedRabbit {

    protected TestBroker broker;
    protected TextQueues queues;

    @BeforeEach
    void connectToRabbit() throws Exception {
        broker = SharedRabbit.orSkip();
        queues = new TextQueues(broker);
    }

    @AfterEach
    void disconnectFromRabbit() throws Exception {
        if (queues != null) {
            queues.close();
        }
    }
}
