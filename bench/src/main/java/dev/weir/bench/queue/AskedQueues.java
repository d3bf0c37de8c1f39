package dev.weir.bench.queue;

import dev.weir.job.lane.LaneOperator;
import dev.weir.job.queues.QueueFunction;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueRequest;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

/** The production operator of the queues with a simulated gateway, whose requests are bytes and answered at once. */
abstract class AskedQueues extends LaneOperator<Outbound> {

    private transient QueueTray tray;
    transient Scans scans;
    private transient long number;

    AskedQueues(Configuration configuration) {
        super(new QueueFunction(configuration));
    }

    @Override
    protected void setup(StreamTask<?, ?> task, StreamConfig config, Output<StreamRecord<Outbound>> output) {
        tray = new QueueTray();
        super.setup(task, config, tray);
    }

    @Override
    public void open() throws Exception {
        super.open();
        scans = new Scans();
    }

    /** The number of the next entry. */
    final long next() {
        return ++number;
    }

    /** Fails when one is refused. */
    final List<QueueAnswer> ask(List<QueueEntry> entries) throws Exception {
        process(Json.write(new QueueRequest("g", entries)));
        List<QueueAnswer> answers =
                Json.read(tray.answers.remove(), QueueAnswers.class).answers();
        for (QueueAnswer answer : answers) {
            if (answer.reason() != null) {
                throw new IllegalStateException("an entry was answered with " + answer);
            }
        }
        return answers;
    }

    /** Beats come back. */
    final void beat() throws Exception {
        while (!tray.beats.isEmpty()) {
            process(tray.beats.remove());
        }
    }

    /** A message comes. */
    void process(byte[] body) throws Exception {
        super.processElement(
                new StreamRecord<>(Inbound.arrived(Kind.QUEUE_REQUEST, "bench", System.currentTimeMillis(), body)));
    }
}
