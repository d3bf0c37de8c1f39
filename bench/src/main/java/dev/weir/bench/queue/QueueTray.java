package dev.weir.bench.queue;

import dev.weir.job.wire.Outbound;
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

/** Replaces the output of the queues' operator: keeps answers, and beats, which come back. */
final class QueueTray implements Output<StreamRecord<Outbound>> {

    final Deque<byte[]> answers = new ArrayDeque<>();
    final Deque<byte[]> beats = new ArrayDeque<>();

    @Override
    public void collect(StreamRecord<Outbound> answer) {
        answers.add(answer.getValue().body());
    }

    @Override
    public <X> void collect(OutputTag<X> tag, StreamRecord<X> message) {
        if (tag.getId().equals("beats")) {
            beats.add(((Outbound) message.getValue()).body());
        } else {
            throw new IllegalStateException("no " + tag.getId() + " belong here: " + message);
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
