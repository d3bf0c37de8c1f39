package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.FrameProxy;
import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.base.source.reader.SourceReaderBase;
import org.apache.flink.connector.base.source.reader.fetcher.SplitFetcherManager;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The task looks for an error of the fetching thread, and then takes what that has fetched. An error that comes between the two, with the
 * call that should wake the task, must fail it all the same.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ErrorBetweenLooksTest {

    /** What Flink logs between the two looks, and on the fetching thread before it tells its error. */
    private static final String BETWEEN = "Getting next source data batch from queue";

    private static final String FAILED = "Received uncaught exception.";

    /** Once it is armed, holds the task between its two looks while the fetching thread tells its error, until that does nothing more. */
    private static final class BetweenTheLooks extends AbstractAppender implements AutoCloseable {

        private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
        private volatile boolean armed;
        private volatile Thread failed;
        private volatile boolean between;

        BetweenTheLooks() {
            super("between-the-looks", null, null, true, Property.EMPTY_ARRAY);
            start();
            Configuration configuration = context.getConfiguration();
            for (Class<?> logger : new Class<?>[] {SourceReaderBase.class, SplitFetcherManager.class}) {
                LoggerConfig all = new LoggerConfig(logger.getName(), Level.TRACE, false);
                all.addAppender(this, Level.TRACE, null);
                configuration.addLogger(logger.getName(), all);
            }
            context.updateLoggers();
        }

        @Override
        public void append(LogEvent event) {
            String said = event.getMessage().getFormattedMessage();
            if (said.equals(FAILED)) {
                await().until(() -> between);
                failed = Thread.currentThread();
            } else if (said.equals(BETWEEN) && armed && !between) {
                between = true;
                await().until(() -> failed != null && failed.getState() == Thread.State.WAITING);
            }
        }

        @Override
        public void close() {
            context.reconfigure();
            stop();
        }
    }

    @Test
    void failsTheTaskAllTheSame() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker);
                BetweenTheLooks looks = new BetweenTheLooks();
                FrameProxy proxy = BatchTest.breakingOnce(broker, () -> looks.armed = true)) {
            String queue = queues.create("between");
            Jobs.fill(broker, queue, 100);
            StreamExecutionEnvironment flink = BatchTest.batch();
            flink.fromSource(
                            Jobs.source(proxy, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                                    .setBounded(Bound.untilEmpty())
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .sinkTo(new DiscardingSink<>());

            assertThatThrownBy(flink::execute).hasStackTraceContaining("read to its end without checkpoints");

            assertThat(looks.failed).isNotNull();
        }
    }
}
