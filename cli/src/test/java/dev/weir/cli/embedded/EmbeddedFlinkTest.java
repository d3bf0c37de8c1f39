package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFlinkTest {

    /** How often the counting job has counted, over all its runs; its state says so. */
    private static final AtomicLong COUNTED = new AtomicLong();

    /** What its state held when a run saw its first element. */
    private static final AtomicLong FOUND = new AtomicLong();

    /** Until it opens, the counting task stays in its initialisation. */
    private static final AtomicReference<CountDownLatch> OPENED = new AtomicReference<>(new CountDownLatch(0));

    /** While it is set the counting task fails with it when it opens. */
    private static final AtomicReference<String> TROUBLE = new AtomicReference<>();

    @TempDir
    Path directory;

    @Test
    void aJobContinuesFromItsSavepointAfterAStopAndFromItsCheckpointAfterACancel() throws Exception {
        COUNTED.set(0);
        try (EmbeddedFlink flink = start()) {
            RunningJob job = submit(flink, StartFrom.NEWEST);
            assertThat(job.restoredFrom()).isEmpty();
            await().until(() -> COUNTED.get() > 50);
            job.stop(Duration.ofSeconds(30));
            assertThat(get(flink.web().resolve("/"))).contains("<html");
        }
        long counted = COUNTED.get();

        FOUND.set(-1);
        try (EmbeddedFlink flink = start()) {
            RunningJob job = submit(flink, StartFrom.NEWEST);
            assertThat(job.restoredFrom())
                    .hasValueSatisfying(from -> assertThat(from).contains("savepoint-"));
            await().until(() -> FOUND.get() >= 0);
            assertThat(FOUND.get()).isEqualTo(counted);
            await().until(this::hasCheckpoint);
            job.cancel();
        }

        FOUND.set(-1);
        try (EmbeddedFlink flink = start()) {
            RunningJob job = submit(flink, StartFrom.NEWEST);
            // Its number is higher than the savepoint's only because Flink goes on counting; the order of starting
            // points needs that.
            assertThat(job.restoredFrom())
                    .hasValueSatisfying(from -> assertThat(from).contains("chk-"));
            await().until(() -> FOUND.get() >= counted);
            await().until(job::isRunning);
        }
    }

    @Test
    void aFreshStartIsEmpty() throws Exception {
        try (EmbeddedFlink flink = start()) {
            RunningJob job = submit(flink, StartFrom.NEWEST);
            await().until(this::hasCheckpoint);
            job.cancel();
            FOUND.set(-1);
            assertThat(submit(flink, StartFrom.EMPTY).restoredFrom()).isEmpty();
            await().until(() -> FOUND.get() == 0);
        }
    }

    @Test
    void theWaitForTheTasksReportsWhichDoNotRunYet() throws Exception {
        List<String> told = new ArrayList<>();
        OPENED.set(new CountDownLatch(1));
        try (EmbeddedFlink flink = start()) {
            WeirJobs jobs = new WeirJobs(List.of(submit(flink, StartFrom.EMPTY)));
            assertThat(jobs.awaitRunning(Duration.ZERO, told::add)).isFalse();
            assertThat(told).isEmpty();

            assertThat(jobs.awaitRunning(Duration.ofMinutes(1), Duration.ZERO, line -> {
                        told.add(line);
                        if (line.contains(" s: count -> Sink: Writer is INITIALIZING.")) {
                            OPENED.get().countDown();
                        }
                    }))
                    .isTrue();
        } finally {
            OPENED.set(new CountDownLatch(0));
        }
        assertThat(told).last().asString().contains(" s: count -> Sink: Writer is INITIALIZING.");
    }

    @Test
    void theWaitForTheTasksOfAFailingJobReportsTheReason() throws Exception {
        List<String> told = new ArrayList<>();
        TROUBLE.set("no room");
        try (EmbeddedFlink flink = start()) {
            WeirJobs jobs = new WeirJobs(List.of(submit(flink, StartFrom.EMPTY)));
            assertThat(jobs.awaitRunning(Duration.ofMinutes(1), Duration.ZERO, line -> {
                        told.add(line);
                        if (line.endsWith(
                                "Job count has failed and restarts: java.lang.IllegalStateException: no room")) {
                            TROUBLE.set(null);
                        }
                    }))
                    .isTrue();
        } finally {
            TROUBLE.set(null);
        }
        assertThat(told).first().asString().endsWith(". A busy disk is the usual reason");
    }

    @Test
    void theWaitForTheTasksReturnsWhenAJobHasEnded() throws Exception {
        try (EmbeddedFlink flink = start()) {
            RunningJob job = submit(flink, StartFrom.EMPTY);
            job.cancel();
            assertThat(new WeirJobs(List.of(job)).awaitRunning(Duration.ofMinutes(1), line -> {}))
                    .isFalse();
        }
    }

    private static RunningJob submit(EmbeddedFlink flink, StartFrom from) throws IOException {
        WeirJob job = new WeirJob("count", "weir count", EmbeddedFlinkTest::count);
        return flink.submit(job, flink.configuration(), from, name -> "do something");
    }

    /** Whether a complete checkpoint is there. */
    private boolean hasCheckpoint() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("flink/checkpoints/count"))) {
            return files.anyMatch(file -> file.endsWith("_metadata")
                    && file.getParent().getFileName().toString().startsWith("chk-"));
        } catch (NoSuchFileException | UncheckedIOException e) {
            // Not there yet, or deleted by Flink while we looked.
            return false;
        }
    }

    private EmbeddedFlink start() throws IOException {
        Configuration given = new Configuration();
        given.setString("execution.checkpointing.interval", "100 ms");
        return EmbeddedFlink.start(LocalConfiguration.complete(given, directory.resolve("flink"), FreePort.any()));
    }

    private static String get(URI address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                .body();
    }

    private static void count(StreamExecutionEnvironment environment, Configuration configuration) {
        environment
                .fromSource(
                        new DataGeneratorSource<>(
                                n -> n, Long.MAX_VALUE, RateLimiterStrategy.perSecond(500), Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "numbers")
                .uid("numbers")
                .keyBy(n -> 0L, Types.LONG)
                .process(new Count())
                .name("count")
                .uid("count")
                .sinkTo(new DiscardingSink<>())
                .uid("nowhere");
    }

    private static final class Count extends KeyedProcessFunction<Long, Long, Long> {
        private transient ValueState<Long> counted;
        private transient boolean seen;

        @Override
        public void open(OpenContext context) throws InterruptedException {
            OPENED.get().await();
            if (TROUBLE.get() != null) {
                throw new IllegalStateException(TROUBLE.get());
            }
            counted = getRuntimeContext().getState(new ValueStateDescriptor<>("counted", Types.LONG));
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            long before = counted.value() == null ? 0 : counted.value();
            if (!seen) {
                seen = true;
                FOUND.set(before);
            }
            counted.update(before + 1);
            COUNTED.set(before + 1);
        }
    }
}
