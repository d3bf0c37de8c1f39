package dev.weir.cli.demo;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The demo's workflow management: sends tasks and receives their events, with only the means of the protocol page. */
final class Wfms implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Wfms.class);
    private static final long CONFIRM_LIMIT_MILLIS = 30_000;
    private static final int PERSISTENT = 2;

    private final Connection connection;
    private final Channel tasks;

    private Wfms(Connection connection, Channel tasks) {
        this.connection = connection;
        this.tasks = tasks;
    }

    /** Connects and passes all received messages to the watch. */
    static Wfms connect(String amqpUri, Watch watch) throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(amqpUri);
            Connection connection = factory.newConnection("weir demo, as WFMS");
            Channel listening = connection.createChannel();
            String events = listening.queueDeclare().getQueue();
            listening.queueBind(events, Names.EVENTS, "task.*");
            listening.basicConsume(events, true, (tag, event) -> heardEvent(event, watch), tag -> {});
            String reports = listening.queueDeclare().getQueue();
            listening.queueBind(reports, Names.SEND_REPORTS, Names.REPORTS_KEY);
            listening.basicConsume(reports, true, (tag, report) -> heardReport(report, watch), tag -> {});
            Channel tasks = connection.createChannel();
            tasks.confirmSelect();
            return new Wfms(connection, tasks);
        } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
            throw new IOException("WFMS cannot connect to the broker: " + e.getMessage(), e);
        }
    }

    private static void heardEvent(Delivery delivery, Watch watch) {
        try {
            watch.changed(Json.read(delivery.getBody(), TaskEvent.class));
        } catch (InvalidMessage e) {
            LOG.warn("Ignored an invalid event: {}", e.getMessage());
        }
    }

    private static void heardReport(Delivery delivery, Watch watch) {
        try {
            Report report = Json.read(delivery.getBody(), Report.class);
            if (report instanceof Status status) {
                watch.started(status);
            } else if (report instanceof Result result) {
                watch.ended(result);
            }
        } catch (InvalidMessage e) {
            LOG.warn("Ignored an invalid report: {}", e.getMessage());
        }
    }

    /** Sends a task and returns when the broker has confirmed it. */
    synchronized void send(Task task) throws IOException, InterruptedException {
        BasicProperties properties = new BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .messageId(UUID.randomUUID().toString())
                .build();
        tasks.basicPublish(Names.SEND_TASKS, Names.TASKS_KEY, true, properties, Json.write(task));
        try {
            tasks.waitForConfirmsOrDie(CONFIRM_LIMIT_MILLIS);
        } catch (TimeoutException e) {
            throw new IOException(
                    "the broker has not confirmed task " + task.uid() + " within " + CONFIRM_LIMIT_MILLIS + " ms", e);
        }
    }

    @Override
    public void close() {
        connection.abort(5_000);
    }
}
