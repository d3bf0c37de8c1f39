package dev.weir.bench.queue;

import dev.weir.job.lane.LaneOperator;
import dev.weir.job.queues.QueueFunction;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

/**
 * The production operator of the queues with a simulated gateway. Each input element starts a round: so many pushes go in as one message
 * of bytes, as many items are popped in one message and ended in another. Between elements Flink's mailbox runs timers and checkpoints.
 * Only the time within the operator counts, including checkpoints but not the gateway.
 */
final class DrivenQueues extends LaneOperator<Outbound> {

    static final String CYCLES = "cycles";
    static final String WALL = "wall nanoseconds";
    static final String PROCESSOR = "processor nanoseconds";

    private static final int FILLED_AT_ONCE = 32;

    private final int waiting;
    private final int batch;
    private final int warmUpSeconds;
    private final int seconds;

    private transient Scans scans;
    private transient QueueTray tray;
    private transient ThreadMXBean threads;
    private transient long number;
    private transient long measureFrom;
    private transient long measureTo;
    private transient boolean measures;
    private transient long cycles;
    private transient long wall;
    private transient long processor;

    /**
     * @param waiting items that wait all the time
     * @param batch entries of a message, 1 to 32
     */
    DrivenQueues(Configuration configuration, int waiting, int batch, int warmUpSeconds, int seconds) {
        super(new QueueFunction(configuration));
        this.waiting = waiting;
        this.batch = batch;
        this.warmUpSeconds = warmUpSeconds;
        this.seconds = seconds;
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
        threads = ManagementFactory.getThreadMXBean();
    }

    @Override
    public void processElement(StreamRecord<Inbound> word) throws Exception {
        long now = System.nanoTime();
        if (measureTo == 0) {
            ask(List.of(scans.queue(++number)));
            for (int i = 0; i < waiting; i += FILLED_AT_ONCE) {
                ask(pushes(Math.min(FILLED_AT_ONCE, waiting - i)));
            }
            measureFrom = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds);
            measureTo = measureFrom + TimeUnit.SECONDS.toNanos(seconds);
        } else if (now < measureTo) {
            measures = now >= measureFrom;
            round();
        }
    }

    private void round() throws Exception {
        ask(pushes(batch));
        List<LeasedItem> items = ask(List.of(new Pop(++number, Scans.QUEUE, List.of(), batch, 0)))
                .get(0)
                .items();
        List<QueueEntry> ends = new ArrayList<>();
        for (LeasedItem item : items) {
            ends.add(new Done(++number, item.token(), End.FINISHED, null, null, null));
        }
        ask(ends);
        while (!tray.beats.isEmpty()) {
            process(tray.beats.remove());
        }
        cycles += measures ? items.size() : 0;
    }

    private List<QueueEntry> pushes(int count) {
        List<QueueEntry> pushes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pushes.add(new Push(++number, Scans.QUEUE, scans.item()));
        }
        return pushes;
    }

    private List<QueueAnswer> ask(List<QueueEntry> entries) throws Exception {
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

    private void process(byte[] body) throws Exception {
        long wallBefore = System.nanoTime();
        long processorBefore = threads.getCurrentThreadCpuTime();
        super.processElement(
                new StreamRecord<>(Inbound.arrived(Kind.QUEUE_REQUEST, "bench", System.currentTimeMillis(), body)));
        if (measures) {
            wall += System.nanoTime() - wallBefore;
            processor += threads.getCurrentThreadCpuTime() - processorBefore;
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        long before = System.nanoTime();
        long processorBefore = threads.getCurrentThreadCpuTime();
        super.snapshotState(context);
        if (measures) {
            wall += System.nanoTime() - before;
            processor += threads.getCurrentThreadCpuTime() - processorBefore;
        }
    }

    @Override
    public void close() throws Exception {
        tell(CYCLES, cycles);
        tell(WALL, wall);
        tell(PROCESSOR, processor);
        super.close();
    }

    private void tell(String name, long value) {
        LongCounter counter = getRuntimeContext().getLongCounter(name);
        counter.add(value);
    }
}
