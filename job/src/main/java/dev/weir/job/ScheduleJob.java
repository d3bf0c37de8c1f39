package dev.weir.job;

import dev.weir.job.amqp.Sinks;
import dev.weir.job.amqp.Sources;
import dev.weir.job.dataset.DsmAccess;
import dev.weir.job.dataset.ReadPages;
import dev.weir.job.dataset.ResolveStorage;
import dev.weir.job.intake.Lanes;
import dev.weir.job.intake.Outcomes;
import dev.weir.job.intake.Rejections;
import dev.weir.job.intake.Validate;
import dev.weir.job.lane.LaneOperator;
import dev.weir.job.mirror.BatchRows;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.JobOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.Secrets;
import dev.weir.job.schedule.Outlets;
import dev.weir.job.schedule.ScheduleFunction;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.job.wire.RowSerializer;
import dev.weir.protocol.Row;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The graph of the schedule job, from left to right: it reads four queues, validates the messages, reads dataset pages from DSM,
 * routes each message to its lane, schedules, and sends every effect to its destination. The Flink UI shows the names of the
 * operators. Savepoints identify operators by their uids, which never change.
 */
public final class ScheduleJob {

    public static final String NAME = "weir schedule";

    /** Uid of the operator that has the scheduling core. */
    public static final String UID = "schedule";

    private final StreamExecutionEnvironment env;
    private final Configuration configuration;
    private final Sources sources;
    private final Sinks sinks;
    private final Rejections rejections;
    private final Outcomes outcomes;
    private final Lanes lanes;

    private ScheduleJob(StreamExecutionEnvironment env, Configuration configuration) {
        this.env = env;
        this.configuration = configuration;
        this.sources = new Sources(configuration);
        this.sinks = new Sinks(configuration);
        this.rejections = new Rejections(configuration.get(AmqpOptions.REJECTED));
        this.outcomes = new Outcomes(configuration.get(AmqpOptions.EVENTS));
        this.lanes = new Lanes(configuration.get(JobOptions.LANES));
    }

    /** Adds the job's operators to the environment, which must carry {@link FlinkDefaults}. */
    public static void define(StreamExecutionEnvironment env, Configuration configuration) {
        new ScheduleJob(env, configuration).define();
    }

    private void define() {
        DsmAccess dsm = DsmAccess.of(configuration);
        SingleOutputStreamOperator<Inbound> tasks = valid(Kind.TASK, AmqpOptions.TASKS, "tasks");
        SingleOutputStreamOperator<Inbound> commands = valid(Kind.COMMAND, AmqpOptions.COMMANDS, "commands");
        SingleOutputStreamOperator<Inbound> reports = valid(Kind.REPORT, AmqpOptions.REPORTS, "reports");
        SingleOutputStreamOperator<Inbound> pages = valid(Kind.PAGE_REQUEST, AmqpOptions.PAGES, "pages");

        DataStream<Inbound> resolved = AsyncDataStream.unorderedWait(
                        tasks,
                        new ResolveStorage(dsm),
                        dsm.patience().toMillis(),
                        TimeUnit.MILLISECONDS,
                        dsm.capacity())
                .returns(Inbound.TYPE)
                .name("Resolve output storage (DSM)")
                .uid("ask-dsm-storage");
        DataStream<Inbound> answered = AsyncDataStream.unorderedWait(
                        pages, new ReadPages(dsm), dsm.patience().toMillis(), TimeUnit.MILLISECONDS, dsm.capacity())
                .returns(Inbound.TYPE)
                .name("Read dataset pages (DSM)")
                .uid("ask-dsm-pages");

        SingleOutputStreamOperator<Row> schedule = resolved.union(commands, reports, answered)
                .keyBy(Inbound::lane, Types.INT)
                .transform(
                        "Schedule",
                        RowSerializer.TYPE,
                        new LaneOperator<>(new ScheduleFunction(Secrets.without(configuration))))
                .uid(UID)
                .setParallelism(Math.min(env.getParallelism(), lanes.count()))
                .setMaxParallelism(128);

        send(schedule, tasks.getSideOutput(Outcomes.TAG).union(commands.getSideOutput(Outcomes.TAG)));
        sinks.atOnce(
                rejected(List.of(tasks, commands, reports, pages), schedule),
                "Send rejected messages to " + configuration.get(AmqpOptions.REJECTED),
                "send-rejected");
    }

    private SingleOutputStreamOperator<Inbound> valid(Kind kind, ConfigOption<String> queue, String what) {
        return sources.read(env, kind, configuration.get(queue), what)
                .process(new Validate(lanes, rejections, outcomes), Inbound.TYPE)
                .name("Validate " + what)
                .uid("validate-" + what);
    }

    private void send(SingleOutputStreamOperator<Row> schedule, DataStream<Outbound> refused) {
        sinks.atOnce(
                schedule.getSideOutput(Outlets.JOBS),
                "Send jobs to " + configuration.get(AmqpOptions.JOBS_PREFIX) + "*",
                "send-jobs");
        sinks.atOnceIfBound(schedule.getSideOutput(Outlets.NOTICES), "Send notices to pilots", "send-notices");
        sinks.atOnceIfBound(
                schedule.getSideOutput(Outlets.EVENTS).union(schedule.getSideOutput(Outcomes.TAG), refused),
                "Send events to WFMS",
                "send-events");
        sinks.onCommit(
                schedule.getSideOutput(Outlets.DECISIONS),
                "Send registrations, closes and final events (after the checkpoint)",
                "send-decisions");
        sinks.atOnce(
                schedule.getSideOutput(Outlets.PAGES),
                "Send page requests to " + configuration.get(AmqpOptions.PAGES),
                "send-pages");
        sinks.atOnce(
                schedule.getSideOutput(Outlets.BEATS),
                "Send beats to " + configuration.get(AmqpOptions.REPORTS),
                "send-beats");
        if (configuration.get(MirrorOptions.ENABLED)) {
            DataStream<Outbound> batches = schedule.transform(
                            "Batch row changes",
                            Outbound.TYPE,
                            new BatchRows(
                                    configuration.get(AmqpOptions.MIRROR),
                                    configuration.get(MirrorOptions.BATCH_ROWS),
                                    configuration.get(MirrorOptions.BATCH_DELAY)))
                    .uid("batch-rows");
            sinks.atOnce(batches, "Send row changes to " + configuration.get(AmqpOptions.MIRROR), "send-rows");
        }
    }

    private static DataStream<Outbound> rejected(
            List<SingleOutputStreamOperator<Inbound>> validated, SingleOutputStreamOperator<Row> schedule) {
        DataStream<Outbound> all = schedule.getSideOutput(Rejections.TAG);
        for (SingleOutputStreamOperator<Inbound> stream : validated) {
            all = all.union(stream.getSideOutput(Rejections.TAG));
        }
        return all;
    }
}
