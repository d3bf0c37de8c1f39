package dev.weir.bench.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.ChildJvm;
import dev.weir.bench.Row;
import dev.weir.bench.chart.Chart;
import dev.weir.bench.chart.Series;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Time and memory of the library, input in memory, each run in a process that has done nothing else: code starts cold,
 * as in a job that runs once. Figures are medians over processes. Processor time is shown with wall time, since other load
 * on the machine affects only wall time.
 */
final class Speed {

    private static final int WORKERS = 2_000;
    private static final int RINGS = 6_000;
    private static final int REPLICAS = 10;
    private static final double GOAL_SECONDS_MILLION = 0.3;
    private static final double GOAL_SECONDS_TEN_MILLION = 1;
    private static final double GOAL_MEBIBYTES = 600;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final List<String> OPTIONS = List.of("-Xmx420m", "-XX:+UseSerialGC");

    private final BenchmarkContext context;
    private final int processes;
    private final int scale;

    Speed(BenchmarkContext context) {
        this.context = context;
        this.processes = context.quick() ? 1 : 5;
        this.scale = context.quick() ? 10 : 1;
    }

    /** Medians over processes. */
    private record Sample(double wallSeconds, double cpuSeconds, double warmWallSeconds, double peakMebibytes) {}

    List<Row> measure() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        context.note("workers", WORKERS);
        context.note("rings", RINGS);
        context.note("replicas", REPLICAS);
        context.note("jvm_options", OPTIONS);
        context.note("processes", processes);

        Sample million = sample(1_000_000, Order.CHUNK, Mode.COMPATIBLE);
        Sample tenMillion = sample(10_000_000, Order.CHUNK, Mode.COMPATIBLE);
        rows.addAll(rows(million, size(1_000_000), GOAL_SECONDS_MILLION));
        rows.add(warm(million, size(1_000_000)));
        rows.addAll(rows(tenMillion, size(10_000_000), GOAL_SECONDS_TEN_MILLION));
        rows.add(warm(tenMillion, size(10_000_000)));
        rows.addAll(rows(
                sample(10_000_000, Order.TAG, Mode.COMPATIBLE),
                size(10_000_000) + ", order tag",
                GOAL_SECONDS_TEN_MILLION));
        rows.addAll(rows(
                sample(10_000_000, Order.CHUNK, Mode.FULL),
                size(10_000_000) + ", mode full",
                GOAL_SECONDS_TEN_MILLION));
        draw(million, tenMillion);
        return rows;
    }

    private static List<Row> rows(Sample sample, String what, double goalSeconds) {
        return List.of(
                Row.atMost(what + ": wall time", sample.wallSeconds(), goalSeconds, "s"),
                Row.of(what + ": processor time", sample.cpuSeconds(), "s"),
                Row.atMost(what + ": peak RSS", sample.peakMebibytes(), GOAL_MEBIBYTES, "MiB"));
    }

    private static Row warm(Sample sample, String what) {
        return Row.of(what + ": wall time, repeated in the process", sample.warmWallSeconds(), "s");
    }

    private String size(int virtualChunks) {
        int scaled = virtualChunks / scale;
        return (scaled >= 1_000_000 ? scaled / 1_000_000 + "M" : scaled / 1_000 + "k") + " virtual chunks";
    }

    private void draw(Sample million, Sample tenMillion) throws IOException, InterruptedException {
        Sample small = sample(100_000, Order.CHUNK, Mode.COMPATIBLE);
        Sample middle = sample(3_000_000, Order.CHUNK, Mode.COMPATIBLE);
        double[] sizes = {1e5 / scale, 1e6 / scale, 3e6 / scale, 1e7 / scale};
        List<Sample> samples = List.of(small, million, middle, tenMillion);
        context.draw(
                "time",
                Chart.lines(
                                "Placing virtual chunks on 2,000 workers, 6,000 rings, saturation 0.99",
                                "virtual chunks",
                                "seconds")
                        .logarithmicX()
                        .logarithmicY()
                        .add(line("wall time, cold process", sizes, samples, 0))
                        .add(line("processor time, cold process", sizes, samples, 1))
                        .add(line("wall time, warm", sizes, samples, 2))
                        .add(Series.line("goal", new double[] {1e6, 1e7}, new double[] {
                            GOAL_SECONDS_MILLION, GOAL_SECONDS_TEN_MILLION
                        })));
    }

    private static Series line(String name, double[] sizes, List<Sample> samples, int which) {
        double[] values = samples.stream()
                .mapToDouble(one -> switch (which) {
                    case 0 -> one.wallSeconds();
                    case 1 -> one.cpuSeconds();
                    default -> one.warmWallSeconds();
                })
                .toArray();
        return Series.line(name, sizes, values);
    }

    private Sample sample(int virtualChunks, Order order, Mode mode) throws IOException, InterruptedException {
        int chunks = virtualChunks / REPLICAS / scale;
        context.progress(chunks + " chunks × " + REPLICAS + " replicas, " + order + " " + mode);
        double loadBefore = loadAverage();
        List<JsonNode> runs = new ArrayList<>();
        Set<String> digests = new HashSet<>();
        double[] coldOnlyPeaks = new double[processes];
        for (int i = 0; i < processes; i++) {
            JsonNode once = run(chunks, order, mode, 1);
            coldOnlyPeaks[i] = once.get("peak_rss_mib").asDouble();
            runs.add(once);
            digests.add(once.get("digest").asText());
        }
        JsonNode repeated = run(chunks, order, mode, 4);
        digests.add(repeated.get("digest").asText());
        if (digests.size() != 1) {
            throw new IllegalStateException("the same input gave different assignments: " + digests);
        }
        context.note("load_before_" + chunks + "_" + order + "_" + mode, loadBefore);
        context.note(
                "digest_" + chunks + "_" + order + "_" + mode,
                digests.iterator().next());
        return new Sample(
                median(runs.stream()
                        .mapToDouble(one -> one.get("wall_s").get(0).asDouble())
                        .toArray()),
                median(runs.stream()
                        .mapToDouble(one -> one.get("cpu_s").get(0).asDouble())
                        .toArray()),
                median(new double[] {
                    repeated.get("wall_s").get(1).asDouble(),
                    repeated.get("wall_s").get(2).asDouble(),
                    repeated.get("wall_s").get(3).asDouble()
                }),
                median(coldOnlyPeaks));
    }

    private JsonNode run(int chunks, Order order, Mode mode, int repeats) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                Integer.toString(WORKERS),
                Integer.toString(RINGS),
                Integer.toString(chunks),
                Integer.toString(REPLICAS),
                order.name(),
                mode.name(),
                Integer.toString(repeats));
        return new ObjectMapper().readTree(ChildJvm.run(OPTIONS, PlacementRun.class, arguments, LIMIT));
    }

    /** The load average of the last minute, to judge wall times; negative if the system does not provide it. */
    private static double loadAverage() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
