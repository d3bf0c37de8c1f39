package dev.weir.bench.queue;

import dev.weir.bench.operator.OperatorMain;
import dev.weir.job.FlinkDefaults;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Fills a queue by {@link DrivenFill} in a local Flink with Weir's defaults, saves it, and starts again from there. Prints live bytes of the
 * heap with a tenth of the items and with all, items a second, bytes of the savepoint, and seconds from the start of the second job to its
 * first answers.
 *
 * <p>Arguments: a directory for state, what becomes of the items, how many.
 */
public final class FilledQueueMain {

    private static final int TENTH = 10;
    private static final double ELEMENTS_A_SECOND = 20;
    private static final long LOOK_MILLIS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(60);
    private static final double SECOND = 1e9;

    private FilledQueueMain() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        DrivenFill.Fate fate = DrivenFill.Fate.valueOf(arguments[1]);
        long items = Long.parseLong(arguments[2]);
        JobClient job = start(directory, fate, null);
        fill(items / TENTH);
        long few = heap();
        long begun = System.nanoTime();
        fill(items);
        double perSecond = (items - items / TENTH) / ((System.nanoTime() - begun) / SECOND);
        long all = heap();
        Path saved = Files.createDirectories(directory.resolve("savepoint"));
        String path = job.stopWithSavepoint(false, saved.toUri().toString(), SavepointFormatType.NATIVE)
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        long bytes = size(saved);
        DrivenFill.WANTED.set(0);
        DrivenFill.KEPT.set(0);
        long restarted = System.nanoTime();
        JobClient again = start(directory, fate, path);
        await(1);
        if (DrivenFill.KEPT.get() < items) {
            throw new IllegalStateException(DrivenFill.KEPT.get() + " are there after the restart, of " + items);
        }
        double usable = (System.nanoTime() - restarted) / SECOND;
        again.cancel().get(1, TimeUnit.MINUTES);
        System.out.printf(Locale.ROOT, "%d %d %.1f %d %.2f%n", few, all, perSecond, bytes, usable);
    }

    private static JobClient start(Path directory, DrivenFill.Fate fate, String from) throws Exception {
        Configuration flink = OperatorMain.flink(directory);
        if (from != null) {
            flink.set(StateRecoveryOptions.SAVEPOINT_PATH, from);
        }
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, FlinkDefaults.under(flink));
        DataGeneratorSource<Long> source = new DataGeneratorSource<>(
                number -> number, Long.MAX_VALUE, RateLimiterStrategy.perSecond(ELEMENTS_A_SECOND), Types.LONG);
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "Words")
                .uid("words")
                .map(word -> Inbound.arrived(Kind.QUEUE_REQUEST, "bench", 0, new byte[0]))
                .returns(Inbound.TYPE)
                .uid("elements")
                .keyBy(Inbound::lane, Types.INT)
                .transform("Queues", Outbound.TYPE, new DrivenFill(fate))
                .uid("queues")
                .sinkTo(new DiscardingSink<>())
                .uid("nothing");
        return env.executeAsync("bench");
    }

    private static void fill(long items) throws InterruptedException, TimeoutException {
        DrivenFill.WANTED.set(items);
        await(items);
    }

    private static void await(long items) throws InterruptedException, TimeoutException {
        CountDownLatch never = new CountDownLatch(1);
        long begun = System.nanoTime();
        while (DrivenFill.KEPT.get() < items) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new TimeoutException(DrivenFill.KEPT.get() + " are there, of " + items);
            }
            var unused = never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static long heap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long size(Path directory) throws IOException {
        long size = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                size += Files.size(file);
            }
        }
        return size;
    }
}
