package dev.weir.connectors.rabbitmq.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.MessageProperties;
import dev.weir.connectors.rabbitmq.broker.PrivateRabbit;
import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.source.consume.Consumers;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user whom RabbitMQ does not let do what the job wants: it fails at once, and nothing that is logged or thrown names the user. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AccessTest {

    private static final String USER = "somebody-whom-nobody-shall-see";
    private static final String PASSWORD = "secret-that-nobody-shall-see";
    /** One who may do everything; the name contains the other's. */
    private static final String WRITER = USER + "-and-writes";

    private static final String VIRTUAL_HOST = "forbidden";
    /** Retrying would take 10 minutes. */
    private static final long AT_ONCE_SECONDS = 30;

    private static PrivateRabbit rabbit;

    @BeforeAll
    static void start() throws Exception {
        rabbit = PrivateRabbit.orSkip();
        rabbit.addUser(USER, PASSWORD, "^$", "^$", "^readable");
        rabbit.addUser(WRITER, PASSWORD);
        rabbit.addVirtualHost(VIRTUAL_HOST);
    }

    @AfterAll
    static void stop() throws Exception {
        if (rabbit != null) {
            rabbit.close();
        }
    }

    private static RMQConnectionConfig as(String virtualHost) {
        return as(USER, PASSWORD, virtualHost);
    }

    private static RMQConnectionConfig as(String user, String password, String virtualHost) {
        return new RMQConnectionConfig.Builder()
                .setUri(rabbit.uri().replace("guest:guest", user + ":" + password) + virtualHost)
                .build();
    }

    private static StreamExecutionEnvironment writing(RMQConnectionConfig to, Publishing publishing, String exchange) {
        StreamExecutionEnvironment flink = Jobs.flink(0);
        // A source that goes on: one that ends just then makes Flink tell of that instead of the sink.
        Jobs.numbered(flink, 100_000, 1_000)
                .sinkTo(Jobs.sink(rabbit, "", publishing)
                        .setConnection(to)
                        .setRouter(text -> AmqpMessage.persistent(exchange, "key", text, new byte[1]))
                        .build());
        return flink;
    }

    private static StreamExecutionEnvironment reading(RMQConnectionConfig from, String queue, Tally seen, Bound bound) {
        StreamExecutionEnvironment flink = Jobs.flink(0);
        flink.fromSource(
                        Jobs.source(rabbit, queue, DeliveryGuarantee.EXACTLY_ONCE)
                                .setConnection(from)
                                .setBounded(bound)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return flink;
    }

    /** Runs a job that must fail soon, and looks through all that is said on the way. */
    private static void failsAtOnce(StreamExecutionEnvironment flink, String... because) throws Exception {
        try (SeenLogs logs = SeenLogs.ofEverything()) {
            JobClient job = flink.executeAsync();
            Throwable failure = null;
            try {
                job.getJobExecutionResult().get(AT_ONCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                failure = e;
            }
            assertThat(failure)
                    .hasStackTraceContaining(because[0])
                    .hasStackTraceContaining(because[1])
                    .satisfies(e -> assertThat(org.apache.flink.util.ExceptionUtils.stringifyException(e))
                            .doesNotContain(USER, PASSWORD));
            assertThat(logs.containing(USER)).isEmpty();
            assertThat(logs.containing(PASSWORD)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aSinkThatMayNotWriteToItsExchangeSaysWhatItNeeds(Publishing publishing) throws Exception {
        failsAtOnce(
                writing(as(""), publishing, "amq.topic"),
                "403 ACCESS_REFUSED - access to exchange 'amq.topic'",
                "needs permission to write");
    }

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aSinkWithAWrongPasswordFails(Publishing publishing) throws Exception {
        failsAtOnce(
                writing(as(USER, PASSWORD + "-mistyped", ""), publishing, "amq.topic"),
                "Cannot publish to the broker at",
                "ACCESS_REFUSED");
    }

    @Test
    void aSourceWithAWrongPasswordFails() throws Exception {
        failsAtOnce(
                reading(
                        as(USER, PASSWORD + "-mistyped", ""),
                        "readable",
                        new Tally("wrong password"),
                        Bound.untilEmpty()),
                "cannot be consumed",
                "ACCESS_REFUSED");
    }

    private static AmqpMessage forged() {
        var properties = MessageProperties.MINIMAL_PERSISTENT_BASIC
                .builder()
                .messageId("forged")
                .userId("somebody-else")
                .build();
        return new AmqpMessage("amq.topic", "key", properties, new byte[1]);
    }

    /** RabbitMQ's answer names the user who is logged in. */
    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aMessageInSomebodyElsesNameIsRefusedWithoutTellingWhoIsLoggedIn(Publishing publishing) throws Exception {
        StreamExecutionEnvironment flink = Jobs.flink(0);
        Jobs.numbered(flink, 100_000, 1_000)
                .sinkTo(Jobs.sink(rabbit, "", publishing)
                        .setConnection(as(WRITER, PASSWORD, ""))
                        .setRouter(text -> forged())
                        .build());
        failsAtOnce(flink, "406 PRECONDITION_FAILED - user_id property set to (hidden)", "was (hidden)");
    }

    @Test
    void aSinkThatMayNotUseItsVirtualHostFails() throws Exception {
        failsAtOnce(
                writing(as("/" + VIRTUAL_HOST), Publishing.AT_ONCE, "amq.topic"),
                "Cannot publish to the broker at",
                "530 NOT_ALLOWED");
    }

    @Test
    void aSourceThatMayNotUseItsVirtualHostFails() throws Exception {
        failsAtOnce(
                reading(as("/" + VIRTUAL_HOST), "readable", new Tally("no virtual host"), Bound.never()),
                "cannot be consumed",
                "530 NOT_ALLOWED");
    }

    @Test
    void aSourceThatMayNotReadItsQueueFails() throws Exception {
        Jobs.fill(rabbit, "unreadable", 1);
        failsAtOnce(
                reading(as(""), "unreadable", new Tally("unreadable"), Bound.never()),
                "cannot be consumed",
                "403 ACCESS_REFUSED - access to queue 'unreadable'");
    }

    @Test
    void aQueueThatMayNotBeReadFailsItsReaderAtOnceAlthoughAnotherQueueWasOpenedBefore() throws Exception {
        Jobs.fill(rabbit, "readable-first", 1);
        Jobs.fill(rabbit, "unreadable-second", 1);
        SourceOptions options = new SourceOptions(
                new Broker(as(""), null, null),
                List.of("readable-first", "unreadable-second"),
                Topology.NONE,
                BackOff.DEFAULT,
                false,
                delivery -> "",
                10,
                1 << 20,
                10,
                Duration.ofMinutes(30),
                Bound.never());
        try (Consumers consumers = new Consumers(options, "test")) {
            consumers.add(List.of("readable-first"));
            assertThat(consumers.keepOpen()).as("until the next try").isNull();
            consumers.add(List.of("unreadable-second"));
            assertThatThrownBy(consumers::keepOpen)
                    .hasMessageContaining("cannot be consumed")
                    .hasMessageContaining("403 ACCESS_REFUSED - access to queue 'unreadable-second'");
        }
    }

    /** RabbitMQ answers with 403 then too, but it is a matter of time. */
    @Test
    void aQueueThatSomebodyElseConsumesExclusivelyIsWaitedFor() throws Exception {
        String queue = TestBroker.unique("readable").replace("weir-connector-test.", "");
        Jobs.fill(rabbit, queue, 10);
        Tally seen = new Tally(queue);
        JobClient job;
        try (Connection other = rabbit.connect();
                Channel channel = other.createChannel();
                SeenLogs logs = SeenLogs.ofEverything()) {
            channel.basicQos(1);
            channel.basicConsume(queue, false, "", false, true, null, new DefaultConsumer(channel));
            job = reading(as(""), queue, seen, Bound.untilEmpty()).executeAsync();
            Jobs.await().until(() -> logs.containing("exclusive").size() > 1);
        }
        job.getJobExecutionResult().get(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS);
        assertThat(seen.distinct()).isEqualTo(10);
    }
}
