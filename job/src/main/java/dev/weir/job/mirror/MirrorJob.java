package dev.weir.job.mirror;

import dev.weir.job.amqp.Sinks;
import dev.weir.job.amqp.Sources;
import dev.weir.job.intake.Rejections;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.RowSerializer;
import dev.weir.protocol.Row;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * The graph of the mirror job: it reads batches of row changes, splits them and writes them to their tables; once a minute it moves
 * closed tasks to the archive. It is a separate job so that an unavailable database stops only this job: the queue keeps the
 * changes, the job restarts until the database is back, and then catches up.
 */
public final class MirrorJob {

    public static final String NAME = "weir mirror";

    private static final double ARCHIVE_TICKS_PER_SECOND = 1.0 / 60;

    private MirrorJob() {}

    /** Adds the job's operators to the environment, which must carry {@link dev.weir.job.FlinkDefaults}. */
    public static void define(StreamExecutionEnvironment env, Configuration configuration) {
        Database database = Database.of(configuration);
        String queue = configuration.get(AmqpOptions.MIRROR);
        SingleOutputStreamOperator<Row> rows = new Sources(configuration)
                .read(env, Kind.ROWS, queue, "row changes")
                .process(
                        new SplitRows(database, new Rejections(configuration.get(AmqpOptions.REJECTED))),
                        RowSerializer.TYPE)
                .name("Split rows by table")
                .uid("split-rows");
        for (MirrorTable table : MirrorTable.values()) {
            rows.getSideOutput(table.outlet)
                    .sinkTo(UpsertSink.of(table, database))
                    .name("Upsert " + table.table)
                    .uid("upsert-" + table.table);
        }
        new Sinks(configuration)
                .atOnce(
                        rows.getSideOutput(Rejections.TAG),
                        "Send rejected messages to " + configuration.get(AmqpOptions.REJECTED),
                        "send-rejected");
        keepArchive(env, database, configuration.get(MirrorOptions.ARCHIVE_DAYS));
    }

    private static void keepArchive(StreamExecutionEnvironment env, Database database, int days) {
        env.fromSource(
                        new DataGeneratorSource<>(
                                tick -> tick,
                                Long.MAX_VALUE,
                                RateLimiterStrategy.perSecond(ARCHIVE_TICKS_PER_SECOND),
                                Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "Archive timer")
                .uid("archive-ticks")
                .process(new KeepArchive(database, days), Types.VOID)
                .name("Archive closed tasks")
                .uid("keep-archive")
                .sinkTo(new DiscardingSink<>())
                .name("Discard")
                .uid("archive-end");
    }
}
