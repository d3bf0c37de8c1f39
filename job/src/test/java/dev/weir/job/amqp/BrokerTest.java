package dev.weir.job.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import dev.weir.job.options.AmqpOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;

class BrokerTest {

    @Test
    void whatTheUriAsksOfTheConnectionIsNotOverridden() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(AmqpOptions.URI, "amqp://broker/x?heartbeat=5&connection_timeout=2500");

        RMQConnectionConfig connection = Broker.connection(configuration);

        ConnectionFactory read = new ConnectionFactory();
        read.setUri(connection.getUri());
        assertThat(read.getRequestedHeartbeat()).isEqualTo(5);
        assertThat(read.getConnectionTimeout()).isEqualTo(2_500);
        assertThat(connection.getRequestedHeartbeat()).isNull();
        assertThat(connection.getConnectionTimeout()).isNull();
    }
}
