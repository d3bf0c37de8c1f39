package dev.weir.gateway;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Report;
import dev.weir.protocol.Row;
import dev.weir.protocol.Task;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.sql.Upserts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The scheduling core behind the queues of a test: it takes tasks, commands and reports, answers them, sends jobs and notices, and mirrors its rows at once. */
final class CoreOnTheBroker implements AutoCloseable {

    private final TestGateway gateway;
    private final Scheduler scheduler = new Scheduler(SchedulerOptions.defaults(), new HeapStore());
    private final Connection connection;
    private final Channel channel;
    private final java.sql.Connection database;

    CoreOnTheBroker(TestGateway gateway) throws IOException, SQLException {
        this.gateway = gateway;
        connection = gateway.broker.connect();
        channel = connection.createChannel();
        database = gateway.database.connect();
        consume(Names.TASKS, body -> new Event.TaskArrived(Json.read(body, Task.class)));
        consume(Names.REPORTS, body -> new Event.ReportArrived(Json.read(body, Report.class)));
        consume(Names.COMMANDS, body -> new Event.CommandArrived(Json.read(body, Command.class)));
    }

    private interface Reading {
        Event read(byte[] body);
    }

    private void consume(String queue, Reading reading) throws IOException {
        channel.basicConsume(
                gateway.broker.name(queue), true, (tag, message) -> apply(reading.read(message.getBody())), tag -> {});
    }

    /** Applies an event; its effects are out when this returns. */
    synchronized void apply(Event event) {
        List<Effect> effects = scheduler.apply(event, System.currentTimeMillis());
        try {
            for (Effect effect : effects) {
                if (effect instanceof Effect.ShowRow show) {
                    write(show.row());
                }
            }
            for (Effect effect : effects) {
                if (effect instanceof Effect.SendJob send) {
                    channel.basicPublish(
                            "",
                            gateway.broker.name(Names.jobs(send.pool())),
                            MessageProperties.PERSISTENT_BASIC,
                            Json.write(send.job()));
                } else if (effect instanceof Effect.SendNotice send) {
                    channel.basicPublish(
                            gateway.broker.name(Names.NOTICES), send.pilotId(), null, Json.write(send.notice()));
                }
            }
            // Last, so that a test that has the outcome finds the rows.
            for (Effect effect : effects) {
                if (effect instanceof Effect.Answer answer) {
                    channel.basicPublish(
                            gateway.broker.name(Names.EVENTS),
                            answer.outcome().routingKey(),
                            null,
                            Json.write(answer.outcome()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(Row row) throws SQLException {
        try (PreparedStatement upsert = database.prepareStatement(Upserts.of(row))) {
            Upserts.bind(upsert, row);
            upsert.executeUpdate();
        }
    }

    @Override
    public void close() throws Exception {
        connection.abort();
        database.close();
    }
}
