package dev.weir.bench.system;

import dev.weir.testing.site.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What a run holds, every five seconds: heap, checkpoints and messages that wait. */
final class Samples implements AutoCloseable {

    private static final int EVERY_SECONDS = 5;
    private static final double MIB = 1 << 20;

    private final Path directory;
    private final QueueDepths depths;
    private final long begin = System.nanoTime();
    private final List<Sample> samples = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> looking;

    private record Sample(double second, double heapMiB, double stateMiB, long messages) {}

    /** @param directory of the site, with {@code gc.log} */
    Samples(Site site, Path directory, List<String> queues) throws IOException {
        this.directory = directory;
        depths = new QueueDepths(site, queues);
        look();
        looking = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        look();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                EVERY_SECONDS,
                EVERY_SECONDS,
                TimeUnit.SECONDS);
    }

    private synchronized void look() throws IOException {
        samples.add(new Sample(
                (System.nanoTime() - begin) / 1e9,
                new Footprint(directory.resolve("gc.log")).lastHeapMiB(),
                Footprint.bytesBelow(directory.resolve("run")) / MIB,
                depths.sum()));
    }

    /** The most of the first or of the second half of the time. */
    synchronized double heapMiB(boolean ofFirstHalf) {
        int half = (samples.size() + 1) / 2;
        return (ofFirstHalf ? samples.subList(0, half) : samples.subList(samples.size() / 2, samples.size()))
                .stream().mapToDouble(Sample::heapMiB).max().orElse(0);
    }

    synchronized double mostStateMiB() {
        return samples.stream().mapToDouble(Sample::stateMiB).max().orElse(0);
    }

    synchronized double mostDepth() {
        return samples.stream().mapToDouble(Sample::messages).max().orElse(0);
    }

    double[] seconds() {
        return all(Sample::second);
    }

    double[] heap() {
        return all(Sample::heapMiB);
    }

    double[] state() {
        return all(Sample::stateMiB);
    }

    double[] hundreds() {
        return all(sample -> sample.messages() / 100.0);
    }

    private synchronized double[] all(ToDoubleFunction<Sample> of) {
        return samples.stream().mapToDouble(of).toArray();
    }

    /** Throws {@link IOException} when it could not look any more. */
    @Override
    public void close() throws IOException {
        boolean failed = looking.isDone();
        clock.shutdownNow();
        depths.close();
        if (failed) {
            try {
                looking.get();
            } catch (ExecutionException e) {
                throw new IOException("heap, checkpoints or queues cannot be looked at", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
