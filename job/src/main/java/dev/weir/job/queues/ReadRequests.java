package dev.weir.job.queues;

import dev.weir.job.intake.Rejections;
import dev.weir.job.wire.Inbound;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueMessage;
import dev.weir.protocol.queue.QueueRequest;
import java.util.List;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Passes valid messages on, and sends the others to {@code weir.rejected} with a reason. A large request becomes several, so that no event
 * of the core takes long, and a pop of another gateway comes in between.
 */
final class ReadRequests extends ProcessFunction<Inbound, Inbound> {

    static final int MOST_ENTRIES_AT_ONCE = 32;

    private final Rejections rejections;

    ReadRequests(Rejections rejections) {
        this.rejections = rejections;
    }

    @Override
    public void processElement(Inbound message, Context context, Collector<Inbound> out) {
        QueueMessage read;
        try {
            read = Json.read(message.body(), QueueMessage.class);
        } catch (InvalidMessage e) {
            context.output(Rejections.TAG, rejections.of(message, e.field(), e.getMessage()));
            return;
        }
        if (read instanceof QueueRequest request && request.entries().size() > MOST_ENTRIES_AT_ONCE) {
            List<QueueEntry> entries = request.entries();
            for (int from = 0; from < entries.size(); from += MOST_ENTRIES_AT_ONCE) {
                int to = Math.min(from + MOST_ENTRIES_AT_ONCE, entries.size());
                QueueMessage slice = new QueueRequest(request.gateway(), entries.subList(from, to));
                out.collect(message.withBody(Json.write(slice)));
            }
        } else {
            out.collect(message);
        }
    }
}
