package dev.weir.bench.operator;

import dev.weir.job.FlinkDefaults;
import dev.weir.job.options.SchedulingOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.RowSerializer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Runs a {@link DrivenOperator} in a local Flink with Weir's defaults: RocksDB, incremental checkpoints every 2 s. Prints cycles a
 * second, cycles a second of processor time, and the share of time in snapshots.
 *
 * <p>Arguments: a directory for state, the {@link Load}'s groups, seconds to warm up, seconds to measure.
 */
public final class OperatorMain {

    private static final MemorySize MANAGED_MEMORY = MemorySize.ofMebiBytes(512);
    private static final double SECOND = 1e9;

    /** More records than a run needs: the operator ignores records that arrive after its end. */
    private static final long RECORDS = 100_000;

    private OperatorMain() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Load load = new Load(Integer.parseInt(arguments[1]));
        int warmUp = Integer.parseInt(arguments[2]);
        int seconds = Integer.parseInt(arguments[3]);

        Configuration weir = new Configuration();
        weir.set(SchedulingOptions.WINDOW, Load.WINDOW);
        if (load.isLimited()) {
            weir.set(
                    SchedulingOptions.MAX_GROUPS, Math.max(SchedulingOptions.MAX_GROUPS.defaultValue(), load.groups()));
            weir.set(SchedulingOptions.GROUP_RULES, List.of("network,max-in-flight=" + load.maxInFlight()));
        }
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, FlinkDefaults.under(flink(directory)));
        env.fromSequence(1, RECORDS)
                .map(record -> Inbound.arrived(Kind.REPORT, "bench", 0, new byte[0]))
                .returns(Inbound.TYPE)
                .keyBy(Inbound::lane, Types.INT)
                .transform("Schedule", RowSerializer.TYPE, new DrivenOperator(weir, load, warmUp, seconds))
                .sinkTo(new DiscardingSink<>());
        JobExecutionResult result = env.execute("bench");

        double cycles = result.<Long>getAccumulatorResult(DrivenOperator.CYCLES);
        double wall = result.<Long>getAccumulatorResult(DrivenOperator.WALL);
        double processor = result.<Long>getAccumulatorResult(DrivenOperator.PROCESSOR);
        double snapshots = result.<Long>getAccumulatorResult(DrivenOperator.SNAPSHOTS);
        System.out.printf(
                Locale.ROOT, "%.1f %.1f %.4f%n", cycles / wall * SECOND, cycles / processor * SECOND, snapshots / wall);
    }

    /** A local Flink that keeps its state in a directory, and ends with the first failure. */
    public static Configuration flink(Path directory) {
        Configuration flink = new Configuration();
        flink.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MANAGED_MEMORY);
        flink.set(RocksDBOptions.LOCAL_DIRECTORIES, directory.resolve("rocksdb").toString());
        flink.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        flink.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS);
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        return flink;
    }
}
