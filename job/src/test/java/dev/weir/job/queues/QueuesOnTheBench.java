package dev.weir.job.queues;

import dev.weir.job.intake.Rejections;
import dev.weir.job.lane.LaneOperator;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.job.wire.OutboundSerializer;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/** The operator "Queues" alone, on RocksDB state and a clock that the test moves. */
final class QueuesOnTheBench implements AutoCloseable {

    static final String GATEWAY = "gateway-7c1f";

    private final KeyedOneInputStreamOperatorTestHarness<Integer, Inbound, Outbound> harness;

    /** Starts from nothing, on the day of the protocol page. */
    QueuesOnTheBench() throws Exception {
        this(null, Instant.parse("2026-11-21T05:00:00Z").toEpochMilli());
    }

    private QueuesOnTheBench(OperatorSubtaskState state, long nowMillis) throws Exception {
        harness = new KeyedOneInputStreamOperatorTestHarness<>(
                new LaneOperator<>(new QueueFunction(new Configuration())), Inbound::lane, Types.INT);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        harness.setup(OutboundSerializer.INSTANCE);
        harness.setProcessingTime(nowMillis);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
    }

    /** Another operator that continues from a checkpoint of this one, which ends. */
    QueuesOnTheBench restored() throws Exception {
        OperatorSubtaskState state = harness.snapshot(1, harness.getProcessingTime());
        long now = harness.getProcessingTime();
        close();
        return new QueuesOnTheBench(state, now);
    }

    void pass(long millis) throws Exception {
        harness.setProcessingTime(harness.getProcessingTime() + millis);
    }

    void arrive(byte[] request) throws Exception {
        Inbound message = Inbound.arrived(Kind.QUEUE_REQUEST, Names.DONE, harness.getProcessingTime(), request);
        harness.processElement(message, harness.getProcessingTime());
    }

    /** Sends these entries as one request, as a gateway may, and takes the messages of answers. */
    List<QueueAnswers> ask(QueueEntry... entries) throws Exception {
        byte[] request = Json.write(new QueueRequest(GATEWAY, List.of(entries)));
        Json.read(request, QueueRequest.class);
        arrive(request);
        return answers();
    }

    /** The answer to the one entry. */
    QueueAnswer askOne(QueueEntry entry) throws Exception {
        return ask(entry).get(0).answers().get(0);
    }

    /** The messages of answers since the last call, as a gateway reads them. */
    List<QueueAnswers> answers() {
        return messages().stream()
                .map(message -> Json.read(message.body(), QueueAnswers.class))
                .toList();
    }

    /** The same, as they are sent. */
    List<Outbound> messages() {
        List<Outbound> messages = new ArrayList<>(harness.extractOutputValues());
        harness.getOutput().clear();
        return messages;
    }

    /** All that went to a side output. */
    List<Outbound> sent(OutputTag<Outbound> tag) {
        var records = harness.getSideOutput(tag);
        return records == null
                ? List.of()
                : records.stream().map(StreamRecord::getValue).toList();
    }

    List<Outbound> rejected() {
        return sent(Rejections.TAG);
    }

    @Override
    public void close() throws Exception {
        harness.close();
    }
}
