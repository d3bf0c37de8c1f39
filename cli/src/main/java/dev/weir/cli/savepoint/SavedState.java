package dev.weir.cli.savepoint;

import dev.weir.queues.summary.QueuesSummary;
import dev.weir.scheduler.summary.LaneSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/**
 * A savepoint or checkpoint of the schedule job, or of the queues. All of it is read, which takes some seconds and more in proportion
 * to its size. A path is a directory or a URI, as {@code ./weir cluster savepoint} prints it.
 */
public final class SavedState {

    private SavedState() {}

    /**
     * Reads one of the schedule job.
     *
     * @return the lanes by their numbers
     * @throws IOException when it cannot be read, or is of another job
     */
    public static List<LaneSummary> schedule(String path) throws IOException {
        List<LaneSummary> lanes = new ArrayList<>(read(path, SavedCore.SCHEDULE, LaneSummary.class));
        lanes.sort(Comparator.comparingInt(LaneSummary::lane));
        return lanes;
    }

    /**
     * Reads one of the queues.
     *
     * @return one summary; none when the job had received nothing
     * @throws IOException when it cannot be read, or is of another job
     */
    public static List<QueuesSummary> queues(String path) throws IOException {
        return read(path, SavedCore.QUEUES, QueuesSummary.class);
    }

    private static <S> List<S> read(String path, SavedCore core, Class<S> type) throws IOException {
        // One lane is one key: more tasks would only take more memory.
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
        List<S> lanes = new ArrayList<>();
        try (CloseableIterator<byte[]> read = SavepointReader.read(env, path, new EmbeddedRocksDBStateBackend())
                .readKeyedState(
                        OperatorIdentifier.forUid(core.uid),
                        new LaneReader(core),
                        Types.INT,
                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                .executeAndCollect("Read a savepoint")) {
            while (read.hasNext()) {
                lanes.add(LaneReader.JSON.readValue(read.next(), type));
            }
        } catch (Exception e) {
            throw unreadable(path, core, e);
        }
        return lanes;
    }

    private static IOException unreadable(String path, SavedCore core, Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new IOException(
                path + " cannot be read as a savepoint or checkpoint of Weir's job " + core.job + ": " + reason, e);
    }
}
