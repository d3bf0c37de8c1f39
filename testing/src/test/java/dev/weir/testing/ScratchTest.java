package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class ScratchTest {

    @Test
    void aDatabaseIsEmptyAndGoneAfterItsTest() throws SQLException {
        ScratchDatabase closed;
        try (ScratchDatabase database = ScratchDatabase.create()) {
            closed = database;
            database.run("CREATE TABLE t (a int)");
            assertThat(database.value("SELECT count(*) FROM t")).isEqualTo("0");
        }
        assertThatThrownBy(() -> closed.rows("SELECT 1")).isInstanceOf(SQLException.class);
    }

    @Test
    void theEmbeddedDatabaseNeedsNoService() throws SQLException {
        try (ScratchDatabase database = ScratchDatabase.createEmbedded()) {
            assertThat(database.value("SELECT 6 * 7")).isEqualTo("42");
        }
    }

    @Test
    void queuesOfATestAreItsOwnAndGoneAfterIt() throws IOException {
        for (ScratchBroker broker : ScratchBroker.createAll()) {
            String queue = broker.name("q");
            try (Connection connection = broker.connect()) {
                Channel channel = connection.createChannel();
                channel.queueDeclare(queue, true, false, false, null);
                channel.confirmSelect();
                channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, new byte[] {1});
                channel.waitForConfirmsOrDie(10_000);
                assertThat(broker.drain(queue)).containsExactly(new byte[] {1});
            } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
                throw new IOException(e);
            }
            broker.close();
            assertThatThrownBy(() -> broker.drain(queue)).isInstanceOf(IOException.class);
        }
    }
}
