package dev.weir.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.extractor.Extractors.byName;

import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import dev.weir.job.mirror.MirrorJob;
import dev.weir.job.options.JobOptions;
import dev.weir.job.queues.QueueJob;
import dev.weir.job.start.JobDefinition;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.operators.SourceOperatorFactory;
import org.junit.jupiter.api.Test;

class GraphTest {

    private static final Configuration CONFIGURATION = FlinkDefaults.under(new Configuration());

    @Test
    void everyOperatorOfTheScheduleJobHasAUidAndANameThatSaysWhatItDoes() {
        StreamGraph graph = scheduleGraph();

        assertThat(graph.getJobGraph().getNumberOfVertices()).isPositive();
        assertThat(operators(graph)).allMatch(node -> node.getTransformationUID() != null, "has a uid");
        assertThat(operators(graph))
                .extracting(StreamNode::getOperatorName)
                .doesNotHaveDuplicates()
                .contains(
                        "Schedule",
                        "Read dataset pages (DSM)",
                        "Batch row changes",
                        "Source: Read tasks from weir.tasks")
                .anyMatch(name -> name.contains("Send jobs to weir.jobs.*"));
    }

    @Test
    void aPoolThatIsTakenAwayLeavesNoOperatorWhoseStateNobodyClaims() {
        Configuration more = new Configuration(CONFIGURATION);
        more.set(JobOptions.POOLS, List.of("cpu", "gpu", "bigmem"));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(more);
        ScheduleJob.define(env, more);

        assertThat(uids(env.getStreamGraph())).isEqualTo(uids(scheduleGraph()));
    }

    private static List<String> uids(StreamGraph graph) {
        return operators(graph).stream()
                .map(StreamNode::getTransformationUID)
                .sorted()
                .toList();
    }

    @Test
    void everyOperatorOfTheMirrorJobHasAUid() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(CONFIGURATION);
        MirrorJob.define(env, CONFIGURATION);

        assertThat(operators(env.getStreamGraph())).allMatch(node -> node.getTransformationUID() != null, "has a uid");
    }

    /** OPERATIONS.md, "Limits of memory": a lane with all its maxima has 1,210 of the 1,638 MiB of a TaskManager's default heap. */
    @Test
    void theSourcesLeaveRoomInTheDefaultHeapForALaneThatHasAllItsMaxima() {
        assertThat(bufferedMiB(ScheduleJob::define) + bufferedMiB(MirrorJob::define))
                .isEqualTo(192);
        assertThat(bufferedMiB(QueueJob::define)).isEqualTo(160);
    }

    private static long bufferedMiB(JobDefinition job) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(CONFIGURATION);
        job.define(env, CONFIGURATION);
        return operators(env.getStreamGraph()).stream()
                        .map(StreamNode::getOperatorFactory)
                        .filter(SourceOperatorFactory.class::isInstance)
                        .map(factory -> byName("source").apply(factory))
                        .filter(RabbitMqSource.class::isInstance)
                        .mapToLong(source ->
                                (Long) byName("options.maxBufferedBytes").apply(source))
                        .sum()
                >> 20;
    }

    @Test
    void everyOperatorOfTheQueuesJobHasAUidAndANameThatSaysWhatItDoes() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(CONFIGURATION);
        QueueJob.define(env, CONFIGURATION);
        StreamGraph graph = env.getStreamGraph();

        assertThat(operators(graph)).allMatch(node -> node.getTransformationUID() != null, "has a uid");
        assertThat(operators(graph))
                .extracting(StreamNode::getOperatorName)
                .doesNotHaveDuplicates()
                .contains("Queues", "Source: Read pushes from weir.items");
    }

    @Test
    void theOptionsThatOperatorsKeepContainNoPassword() throws Exception {
        Configuration secret = new Configuration(CONFIGURATION);
        secret.setString("weir.amqp.uri", "amqp://weir:s3cret@localhost/x");
        secret.setString("weir.postgres.password", "s3cret");

        assertThat(dev.weir.job.options.Secrets.without(secret).toString()).doesNotContain("s3cret");
    }

    private static StreamGraph scheduleGraph() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(CONFIGURATION);
        ScheduleJob.define(env, CONFIGURATION);
        return env.getStreamGraph(false);
    }

    private static List<StreamNode> operators(StreamGraph graph) {
        return List.copyOf(graph.getStreamNodes());
    }
}
