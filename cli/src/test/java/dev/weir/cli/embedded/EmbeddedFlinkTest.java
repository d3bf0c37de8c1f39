package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
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

    @TempDir
    Path directory;

    @Test
    void aJobGoesOnFromItsSavepointAfterAStopAndFromItsCheckpointAfterACancel() throws Exception {
        try (EmbeddedFlink flink = start()) {
            RunningJob job = flink.submit("count", flink.configuration(), EmbeddedFlinkTest::count, false);
            assertThat(job.restoredFrom()).isEmpty();
            await().until(() -> COUNTED.get() > 50);
            job.stop(Duration.ofSeconds(30));
            assertThat(get(flink.web().resolve("/"))).contains("<html");
        }
        long counted = COUNTED.get();

        FOUND.set(-1);
        try (EmbeddedFlink flink = start()) {
            RunningJob job = flink.submit("count", flink.configuration(), EmbeddedFlinkTest::count, false);
            assertThat(job.restoredFrom())
                    .hasValueSatisfying(from -> assertThat(from).contains("savepoint-"));
            await().until(() -> FOUND.get() >= 0);
            assertThat(FOUND.get()).isEqualTo(counted);
            await().until(() ->
                    Checkpoints.newest(checkpoints()).orElseThrow().getName().startsWith("chk-"));
            job.cancel();
        }

        FOUND.set(-1);
        try (EmbeddedFlink flink = start()) {
            RunningJob job = flink.submit("count", flink.configuration(), EmbeddedFlinkTest::count, false);
            assertThat(job.restoredFrom())
                    .hasValueSatisfying(from -> assertThat(from).contains("chk-"));
            await().until(() -> FOUND.get() >= counted);
            await().until(job::isRunning);
        }
    }

    @Test
    void aFreshStartIsEmpty() throws Exception {
        try (EmbeddedFlink flink = start()) {
            RunningJob job = flink.submit("count", flink.configuration(), EmbeddedFlinkTest::count, false);
            await().until(() -> Checkpoints.newest(checkpoints()).isPresent());
            job.cancel();
            FOUND.set(-1);
            assertThat(flink.submit("count", flink.configuration(), EmbeddedFlinkTest::count, true)
                            .restoredFrom())
                    .isEmpty();
            await().until(() -> FOUND.get() == 0);
        }
    }

    @Test
    void aCheckpointWithoutMetadataIsNotComplete() throws IOException {
        complete("a/chk-8");
        complete("b/chk-9");
        Files.createDirectories(directory.resolve("flink/checkpoints/count/b/chk-10"));
        assertThat(Checkpoints.newest(checkpoints()).orElseThrow().getName()).isEqualTo("chk-9");
    }

    private void complete(String name) throws IOException {
        Path checkpoint = Files.createDirectories(
                directory.resolve("flink/checkpoints/count").resolve(name));
        Files.createFile(checkpoint.resolve("_metadata"));
    }

    private org.apache.flink.core.fs.Path checkpoints() {
        return new org.apache.flink.core.fs.Path(
                directory.resolve("flink/checkpoints/count").toUri());
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
                .uid("count")
                .sinkTo(new DiscardingSink<>())
                .uid("nowhere");
    }

    private static final class Count extends KeyedProcessFunction<Long, Long, Long> {
        private transient ValueState<Long> counted;
        private transient boolean seen;

        @Override
        public void open(OpenContext context) {
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
