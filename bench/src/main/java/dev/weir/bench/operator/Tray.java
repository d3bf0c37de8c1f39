package dev.weir.bench.operator;

import dev.weir.job.schedule.Outlets;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Row;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

/** Replaces the operator's output: keeps the messages that need an answer, and counts the others. */
final class Tray implements Output<StreamRecord<Row>> {

    private static final String JOBS = Outlets.JOBS.getId();

    final Deque<byte[]> jobs = new ArrayDeque<>();
    final Deque<byte[]> pages = new ArrayDeque<>();
    final Deque<byte[]> beats = new ArrayDeque<>();
    long rows;
    long others;

    @Override
    public void collect(StreamRecord<Row> row) {
        rows++;
    }

    @Override
    public <X> void collect(OutputTag<X> tag, StreamRecord<X> message) {
        byte[] body = ((Outbound) message.getValue()).body();
        if (tag.getId().equals(JOBS)) {
            jobs.add(body);
        } else if (tag.getId().equals(Outlets.PAGES.getId())) {
            pages.add(body);
        } else if (tag.getId().equals(Outlets.BEATS.getId())) {
            beats.add(body);
        } else {
            others++;
        }
    }

    @Override
    public void emitWatermark(Watermark mark) {
        // There is no downstream operator.
    }

    @Override
    public void emitWatermarkStatus(WatermarkStatus status) {
        // There is no downstream operator.
    }

    @Override
    public void emitLatencyMarker(LatencyMarker marker) {
        // There is no downstream operator.
    }

    @Override
    public void emitRecordAttributes(RecordAttributes attributes) {
        // There is no downstream operator.
    }

    @Override
    public void emitWatermark(WatermarkEvent watermark) {
        // There is no downstream operator.
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
