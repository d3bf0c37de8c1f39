package dev.weir.job.schedule;

import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

/** Keeps what an operator puts out until a test takes it; can be torn, as a network is. */
final class Outlet implements Output<StreamRecord<Row>> {

    private final List<Row> rows = new ArrayList<>();
    private final Map<String, List<Outbound>> messages = new HashMap<>();
    private boolean torn;

    List<Outbound> take(OutputTag<Outbound> tag) {
        List<Outbound> taken = messages.remove(tag.getId());
        return taken == null ? List.of() : taken;
    }

    List<Row> takeRows() {
        List<Row> taken = List.copyOf(rows);
        rows.clear();
        return taken;
    }

    void tear() {
        torn = true;
    }

    @Override
    public void collect(StreamRecord<Row> row) {
        checkWhole();
        rows.add(row.getValue());
    }

    @Override
    public <X> void collect(OutputTag<X> tag, StreamRecord<X> message) {
        checkWhole();
        messages.computeIfAbsent(tag.getId(), id -> new ArrayList<>()).add((Outbound) message.getValue());
    }

    private void checkWhole() {
        if (torn) {
            throw new IllegalStateException("the output is torn");
        }
    }

    @Override
    public void emitWatermark(Watermark mark) {}

    @Override
    public void emitWatermarkStatus(WatermarkStatus status) {}

    @Override
    public void emitLatencyMarker(LatencyMarker marker) {}

    @Override
    public void emitRecordAttributes(RecordAttributes attributes) {}

    @Override
    public void emitWatermark(WatermarkEvent watermark) {}

    @Override
    public void close() {}
}
