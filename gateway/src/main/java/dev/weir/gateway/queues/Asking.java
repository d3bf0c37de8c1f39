package dev.weir.gateway.queues;

import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** A way to the queues; {@link QueueDesk#ask} is the one that there is. */
@FunctionalInterface
public interface Asking {

    CompletableFuture<QueueAnswer> ask(LongFunction<? extends QueueEntry> entry, long waitMillis);
}
