package dev.weir.gateway.pilots;

import dev.weir.gateway.broker.Delivery;
import dev.weir.gateway.broker.JobChannel;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A request for a job that is not answered yet. */
final class Pop {

    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

    final String pilot;
    final List<String> pools;
    final CompletableFuture<Taken> answer = new CompletableFuture<>();

    /** What has come and is not looked at yet. */
    final Queue<Delivery> arrived = new ConcurrentLinkedQueue<>();

    private final long untilNanos;

    /** Both are guarded by this. */
    JobChannel channel;

    boolean ended;

    Pop(String pilot, List<String> pools, Duration wait) {
        this.pilot = pilot;
        this.pools = pools;
        untilNanos = System.nanoTime() + wait.toNanos();
    }

    long leftNanos() {
        return untilNanos - System.nanoTime();
    }

    /** Whether its turn came so late that its pilot may have gone: a job would only go back to its queue after a while. */
    boolean isStale() {
        return leftNanos() < -GRACE_NANOS;
    }
}
