package dev.weir.connectors.rabbitmq.suite;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestExternalSystem;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SinkTestSuiteBase;
import org.apache.flink.streaming.api.CheckpointingMode;

/** Flink's suite for sinks, publishing at once, on the embedded broker. */
class SinkSuiteOnEmbeddedBrokerTest extends SinkTestSuiteBase<String> {

    @TestSemantics
    CheckpointingMode[] semantics = {CheckpointingMode.AT_LEAST_ONCE};

    @TestEnv
    MiniClusterTestEnvironment flink = new MiniClusterTestEnvironment();

    @TestExternalSystem
    TestBroker broker = EmbeddedBroker.start();

    @TestContext
    ExternalContextFactory<QueueContext> contexts = name -> new QueueContext(broker, Publishing.AT_ONCE);
}
