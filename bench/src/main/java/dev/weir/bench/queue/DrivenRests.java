package dev.weir.bench.queue;

import dev.weir.job.wire.Inbound;
import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Overview;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The production operator of the queues with a gateway that makes keys rest: each is pushed, popped and finished once, and runs again in
 * one to two days. The main program, in the same JVM, says how many there are to be. After a restore it asks for the queue first.
 */
final class DrivenRests extends AskedQueues {

    /** How many keys are to rest, and how many do. */
    static final AtomicLong WANTED = new AtomicLong();

    static final AtomicLong RESTING = new AtomicLong();

    private static final int DAY = 86_400;
    private static final int AT_ONCE = 32;
    /** Keys of one input element, so that checkpoints come between. */
    private static final int OF_AN_ELEMENT = 20_000;

    private transient boolean asked;

    DrivenRests(Configuration configuration) {
        super(configuration);
    }

    @Override
    public void processElement(StreamRecord<Inbound> word) throws Exception {
        if (!asked) {
            asked = true;
            ask(List.of(scans.queue(next())));
            RESTING.set(ask(List.of(new Overview(next(), Scans.QUEUE)))
                    .get(0)
                    .queues()
                    .get(0)
                    .resting());
        }
        for (int i = 0; i < OF_AN_ELEMENT && RESTING.get() < WANTED.get(); i += AT_ONCE) {
            rest();
            RESTING.addAndGet(AT_ONCE);
        }
    }

    private void rest() throws Exception {
        Again again = new Again(DAY, null, null, null, null, null, DAY);
        List<QueueEntry> pushes = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            Item item = scans.item();
            pushes.add(new Push(
                    next(),
                    Scans.QUEUE,
                    new Item(
                            item.key(),
                            null,
                            item.owner(),
                            null,
                            item.payload(),
                            null,
                            null,
                            null,
                            again,
                            null,
                            null)));
        }
        ask(pushes);
        List<LeasedItem> items = ask(List.of(new Pop(next(), Scans.QUEUE, List.of(), AT_ONCE, 0)))
                .get(0)
                .items();
        List<QueueEntry> ends = new ArrayList<>();
        for (LeasedItem item : items) {
            ends.add(new Done(
                    next(), item.token(), End.FINISHED, new Payload("[443]"), null, null, null, null, null, null));
        }
        ask(ends);
        beat();
    }
}
