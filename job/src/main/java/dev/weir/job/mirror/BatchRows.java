package dev.weir.job.mirror;

import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Json;
import dev.weir.protocol.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Collects row changes into messages for the mirror, with a limit on rows and bytes; no change waits longer than the delay.
 * Of several changes of one row only the newest is sent. The batch leaves before each checkpoint barrier, so the operator needs
 * no state.
 */
public final class BatchRows extends AbstractStreamOperator<Outbound>
        implements OneInputStreamOperator<Row, Outbound>, ProcessingTimeCallback, BoundedOneInput {

    /** Half of the limit of a message, so that the last row of a batch never exceeds it. */
    static final int MAX_BATCH_BYTES = 512 << 10;

    private final String queue;
    private final int maxRows;
    private final long delayMillis;

    private transient Map<RowKey, Encoded> batch;
    private transient int batchBytes;
    /** Null when no batch is pending. */
    private transient ScheduledFuture<?> timer;

    public BatchRows(String queue, int maxRows, Duration delay) {
        this.queue = queue;
        this.maxRows = maxRows;
        this.delayMillis = delay.toMillis();
    }

    @Override
    public void open() throws Exception {
        super.open();
        batch = new LinkedHashMap<>();
    }

    @Override
    public void processElement(StreamRecord<Row> element) {
        Row row = element.getValue();
        RowKey key = RowKey.of(row);
        Encoded before = batch.get(key);
        if (before != null && before.version() >= row.version()) {
            return;
        }
        Encoded now = new Encoded(row.version(), Json.write(row));
        batch.put(key, now);
        batchBytes += now.json().length - (before == null ? 0 : before.json().length);
        if (batch.size() >= maxRows || batchBytes >= MAX_BATCH_BYTES) {
            send();
        } else if (timer == null) {
            timer = getProcessingTimeService()
                    .registerTimer(getProcessingTimeService().getCurrentProcessingTime() + delayMillis, this);
        }
    }

    @Override
    public void onProcessingTime(long time) {
        timer = null;
        send();
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        send();
    }

    @Override
    public void endInput() {
        send();
    }

    private void send() {
        if (batch.isEmpty()) {
            return;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream(batchBytes + batch.size() + 16);
        body.writeBytes("{\"rows\":[".getBytes(StandardCharsets.UTF_8));
        boolean first = true;
        for (Encoded row : batch.values()) {
            if (!first) {
                body.write(',');
            }
            first = false;
            body.writeBytes(row.json());
        }
        body.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        byte[] message = body.toByteArray();
        batch.clear();
        batchBytes = 0;
        // After a restore the same rows come in other batches, so an id made from the content would be no more stable,
        // and a hash of it is slow work for the scheduling task. Rows have versions: one that comes twice changes
        // nothing.
        output.collect(
                new StreamRecord<>(new Outbound("", queue, UUID.randomUUID().toString(), 0, message)));
    }

    private record Encoded(long version, byte[] json) {}
}
