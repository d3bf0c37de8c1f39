package dev.weir.bench.queue;

import dev.weir.job.options.QueueOptions;
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
import dev.weir.protocol.queue.QueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The production operator of the queues with a gateway that fills one. The main program, in the same JVM, says how many items there are to
 * be. After a restore it asks for the queue first.
 */
final class DrivenFill extends AskedQueues {

    /** What becomes of the items. */
    enum Fate {
        /** They stay in the queue. */
        WAIT,
        /** Each is popped and finished once, and runs again in one to two days. */
        REST
    }

    /** How many items are to be there, and how many are. */
    static final AtomicLong WANTED = new AtomicLong();

    static final AtomicLong KEPT = new AtomicLong();

    private static final int DAY = 86_400;
    private static final int AT_ONCE = 32;
    /** Keys of one input element, so that checkpoints come between. */
    private static final int OF_AN_ELEMENT = 20_000;

    private static final int ROOM = 3_000_000;

    private final Fate fate;
    private transient boolean asked;

    DrivenFill(Fate fate) {
        super(new Configuration().set(QueueOptions.MAX_ITEMS, ROOM));
        this.fate = fate;
    }

    @Override
    public void processElement(StreamRecord<Inbound> word) throws Exception {
        if (!asked) {
            asked = true;
            ask(List.of(scans.queue(next())));
            begin();
        }
        for (int i = 0; i < OF_AN_ELEMENT && KEPT.get() < WANTED.get(); i += AT_ONCE) {
            if (fate == Fate.WAIT) {
                push();
            } else {
                rest();
            }
            KEPT.addAndGet(AT_ONCE);
        }
    }

    private void begin() throws Exception {
        QueueView queue =
                ask(List.of(new Overview(next(), Scans.QUEUE))).get(0).queues().get(0);
        if (fate == Fate.WAIT && queue.waiting() > 0) {
            pop(1);
        }
        KEPT.set(fate == Fate.WAIT ? queue.waiting() : queue.resting());
    }

    private void push() throws Exception {
        List<QueueEntry> pushes = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            pushes.add(new Push(next(), Scans.QUEUE, scans.item()));
        }
        ask(pushes);
    }

    private List<LeasedItem> pop(int most) throws Exception {
        return ask(List.of(new Pop(next(), Scans.QUEUE, List.of(), most, 0)))
                .get(0)
                .items();
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
        List<QueueEntry> ends = new ArrayList<>();
        for (LeasedItem item : pop(AT_ONCE)) {
            ends.add(new Done(
                    next(), item.token(), End.FINISHED, new Payload("[443]"), null, null, null, null, null, null));
        }
        ask(ends);
        beat();
    }
}
