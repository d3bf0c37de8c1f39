package dev.weir.bench.queue;

import dev.weir.job.wire.Inbound;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The production operator of the queues with a simulated gateway. Each input element starts a round: so many pushes go in as one message
 * of bytes, as many items are popped in one message and ended in another. Between elements Flink's mailbox runs timers and checkpoints.
 * Only the time within the operator counts, including checkpoints but not the gateway.
 */
final class DrivenQueues extends AskedQueues {

    static final String CYCLES = "cycles";
    static final String WALL = "wall nanoseconds";
    static final String PROCESSOR = "processor nanoseconds";

    private static final int FILLED_AT_ONCE = 32;

    private final int waiting;
    private final int batch;
    private final int warmUpSeconds;
    private final int seconds;

    private transient ThreadMXBean threads;
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
        super(configuration);
        this.waiting = waiting;
        this.batch = batch;
        this.warmUpSeconds = warmUpSeconds;
        this.seconds = seconds;
    }

    @Override
    public void open() throws Exception {
        super.open();
        threads = ManagementFactory.getThreadMXBean();
    }

    @Override
    public void processElement(StreamRecord<Inbound> word) throws Exception {
        long now = System.nanoTime();
        if (measureTo == 0) {
            ask(List.of(scans.queue(next())));
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
        List<LeasedItem> items = ask(List.of(new Pop(next(), Scans.QUEUE, List.of(), batch, 0)))
                .get(0)
                .items();
        List<QueueEntry> ends = new ArrayList<>();
        for (LeasedItem item : items) {
            ends.add(new Done(next(), item.token(), End.FINISHED, null, null, null, null, null, null, null));
        }
        ask(ends);
        beat();
        cycles += measures ? items.size() : 0;
    }

    private List<QueueEntry> pushes(int count) {
        List<QueueEntry> pushes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pushes.add(new Push(next(), Scans.QUEUE, scans.item()));
        }
        return pushes;
    }

    @Override
    void process(byte[] body) throws Exception {
        long wallBefore = System.nanoTime();
        long processorBefore = threads.getCurrentThreadCpuTime();
        super.process(body);
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
