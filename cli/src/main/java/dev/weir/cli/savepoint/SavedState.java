package dev.weir.cli.savepoint;

import dev.weir.job.ScheduleJob;
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

/** A savepoint or checkpoint of the schedule job. */
public final class SavedState {

    private SavedState() {}

    /**
     * Reads all of it, which takes some seconds and more in proportion to its size.
     *
     * @param path a directory or a URI, as {@code ./weir cluster savepoint} prints it
     * @return the lanes by their numbers
     * @throws IOException when it cannot be read, or is not of the schedule job
     */
    public static List<LaneSummary> read(String path) throws IOException {
        // One lane is one key: more tasks would only take more memory.
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
        List<LaneSummary> lanes = new ArrayList<>();
        try (CloseableIterator<byte[]> read = SavepointReader.read(env, path, new EmbeddedRocksDBStateBackend())
                .readKeyedState(
                        OperatorIdentifier.forUid(ScheduleJob.UID),
                        new LaneReader(),
                        Types.INT,
                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                .executeAndCollect("Read a savepoint")) {
            while (read.hasNext()) {
                lanes.add(LaneReader.JSON.readValue(read.next(), LaneSummary.class));
            }
        } catch (Exception e) {
            throw unreadable(path, e);
        }
        lanes.sort(Comparator.comparingInt(LaneSummary::lane));
        return lanes;
    }

    private static IOException unreadable(String path, Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new IOException(
                path + " cannot be read as a savepoint or checkpoint of Weir's job schedule: " + reason, e);
    }
}
