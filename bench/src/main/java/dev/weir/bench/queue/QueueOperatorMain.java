package dev.weir.bench.queue;

import dev.weir.bench.operator.OperatorMain;
import dev.weir.job.FlinkDefaults;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Runs {@link DrivenQueues} in a local Flink with Weir's defaults: RocksDB, incremental checkpoints every 2 s. Prints pushes, pops and dones
 * together a second, and a second of processor time.
 *
 * <p>Arguments: a directory for state, items that wait, entries of a message, seconds to warm up, seconds to measure.
 */
public final class QueueOperatorMain {

    private static final double SECOND = 1e9;
    private static final int ROOM = 3_000_000;

    /** More records than a run needs: the operator ignores records that arrive after its end. */
    private static final long RECORDS = 10_000_000;

    private QueueOperatorMain() {}

    public static void main(String[] arguments) throws Exception {
        Configuration weir = new Configuration();
        weir.set(QueueOptions.MAX_ITEMS, ROOM);
        DrivenQueues queues = new DrivenQueues(
                weir,
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(
                1, FlinkDefaults.under(OperatorMain.flink(Path.of(arguments[0]))));
        env.fromSequence(1, RECORDS)
                .map(record -> Inbound.arrived(Kind.QUEUE_REQUEST, "bench", 0, new byte[0]))
                .returns(Inbound.TYPE)
                .keyBy(Inbound::lane, Types.INT)
                .transform("Queues", Outbound.TYPE, queues)
                .sinkTo(new DiscardingSink<>());
        JobExecutionResult result = env.execute("bench");

        double cycles = result.<Long>getAccumulatorResult(DrivenQueues.CYCLES);
        double wall = result.<Long>getAccumulatorResult(DrivenQueues.WALL);
        double processor = result.<Long>getAccumulatorResult(DrivenQueues.PROCESSOR);
        System.out.printf(Locale.ROOT, "%.1f %.1f%n", cycles / wall * SECOND, cycles / processor * SECOND);
    }
}
