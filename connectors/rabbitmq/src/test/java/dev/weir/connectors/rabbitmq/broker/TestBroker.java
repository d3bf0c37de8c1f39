package dev.weir.connectors.rabbitmq.broker;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.util.UUID;
import org.apache.flink.connector.testframe.TestResource;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;

/** A broker that tests talk to. Queue names carry a prefix of their own, so that nobody else's are touched. */
public interface TestBroker extends TestResource, AutoCloseable {

    /** How long a broker on a busy machine may take to answer. */
    int PATIENCE_MILLIS = 60_000;

    /** Where it is, with user and password. */
    String uri();

    default RMQConnectionConfig config() {
        return new RMQConnectionConfig.Builder().setUri(uri()).build();
    }

    default Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setHandshakeTimeout(PATIENCE_MILLIS);
        return factory.newConnection("connector-tests");
    }

    /** A name that no other test uses. */
    static String unique(String what) {
        return "weir-connector-test." + what + "." + UUID.randomUUID();
    }

    @Override
    default void startUp() throws Exception {}

    @Override
    default void tearDown() throws Exception {
        close();
    }

    @Override
    void close() throws Exception;
}
