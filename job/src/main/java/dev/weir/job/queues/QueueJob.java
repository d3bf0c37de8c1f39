package dev.weir.job.queues;

import dev.weir.job.amqp.Sinks;
import dev.weir.job.amqp.Sources;
import dev.weir.job.intake.Rejections;
import dev.weir.job.lane.LaneOperator;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.Secrets;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Outbound;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The graph of the queues job: it reads pushes, reports and pops from a queue each, so that no flood of one holds up the others, decides,
 * and sends the answers to the gateways that asked. It is a job of its own, so a flooded queue delays no dataset.
 */
public final class QueueJob {

    public static final String NAME = "weir queues";

    /** Of the operator with the state. */
    public static final String UID = "queues";

    private final StreamExecutionEnvironment env;
    private final Configuration configuration;
    private final Sources sources;
    private final Rejections rejections;

    private QueueJob(StreamExecutionEnvironment env, Configuration configuration) {
        this.env = env;
        this.configuration = configuration;
        sources = new Sources(configuration);
        rejections = new Rejections(configuration.get(AmqpOptions.REJECTED));
    }

    /** Adds the job's operators to the environment, which must carry {@link dev.weir.job.FlinkDefaults}. */
    public static void define(StreamExecutionEnvironment env, Configuration configuration) {
        new QueueJob(env, configuration).define();
    }

    private void define() {
        SingleOutputStreamOperator<Inbound> items =
                valid(sources.readOnce(env, configuration.get(AmqpOptions.ITEMS), "pushes"), "pushes");
        SingleOutputStreamOperator<Inbound> done =
                valid(sources.readOnce(env, configuration.get(AmqpOptions.DONE), "reports of workers"), "reports");
        SingleOutputStreamOperator<Inbound> asks = valid(
                sources.read(env, Inbound.Kind.QUEUE_REQUEST, configuration.get(AmqpOptions.ASKS), "pops"), "pops");
        SingleOutputStreamOperator<Outbound> queues = items.union(done, asks)
                .keyBy(Inbound::lane, Types.INT)
                .transform(
                        "Queues", Outbound.TYPE, new LaneOperator<>(new QueueFunction(Secrets.without(configuration))))
                .uid(UID)
                .setParallelism(1)
                .setMaxParallelism(1);
        Sinks sinks = new Sinks(configuration);
        sinks.atOnceIfBound(queues, "Send answers to gateways", "send-answers");
        sinks.atOnceIfBound(queues.getSideOutput(QueueEffects.EVENTS), "Send events of queues", "send-events");
        sinks.atOnce(
                queues.getSideOutput(QueueEffects.BEATS),
                "Send beats to " + configuration.get(AmqpOptions.DONE),
                "send-beats");
        DataStream<Outbound> rejected = queues.getSideOutput(Rejections.TAG)
                .union(
                        items.getSideOutput(Rejections.TAG),
                        done.getSideOutput(Rejections.TAG),
                        asks.getSideOutput(Rejections.TAG));
        sinks.atOnce(rejected, "Send rejected messages to " + configuration.get(AmqpOptions.REJECTED), "send-rejected");
    }

    private SingleOutputStreamOperator<Inbound> valid(DataStream<Inbound> messages, String what) {
        return messages.process(new ReadRequests(rejections), Inbound.TYPE)
                .name("Validate " + what)
                .uid("validate-" + what);
    }
}
