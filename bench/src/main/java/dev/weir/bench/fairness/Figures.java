package dev.weir.bench.fairness;

import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.chart.Chart;
import dev.weir.bench.chart.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Share against time, Jain's index against the length of the interval, and the longest waits. */
final class Figures {

    private static final int SHOWN_CYCLES = 3;
    private static final int POINTS_TO_A_CYCLE = 40;
    private static final double[] LENGTHS = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2};
    private static final int POINTS = 60;

    private final BenchmarkContext context;
    private final List<Load> loads;
    private final Map<String, Chart> shares = new LinkedHashMap<>();
    private final Map<String, Chart> indices = new LinkedHashMap<>();
    private final Map<String, double[]> waits = new LinkedHashMap<>();

    Figures(BenchmarkContext context, List<Load> loads) {
        this.context = context;
        this.loads = loads;
    }

    /** Adds the lines of one policy under one load. */
    void take(Load load, String policy, Service service) {
        Chart share = shares.computeIfAbsent(load.name(), name -> shareChart(load));
        if (load.isSteady()) {
            share.add(gotByDue(policy, load, service));
        } else {
            share.add(share(policy, load, service, false));
            if (policy.equals(FairnessBenchmark.POLICIES.get(FairnessBenchmark.POLICIES.size() - 1))) {
                share.add(share("GPS", load, service, true));
            }
        }
        indices.computeIfAbsent(
                        load.name(),
                        name -> Chart.lines(
                                        "Jain's index over share / weight: " + name,
                                        "length of the interval, in cycles",
                                        "mean over all intervals")
                                .logarithmicX())
                .add(Series.line(
                        policy,
                        LENGTHS,
                        Arrays.stream(LENGTHS)
                                .map(length -> service.jain(length).mean())
                                .toArray()));
        waits.computeIfAbsent(policy, name -> new double[loads.size()])[loads.indexOf(load)] =
                service.longestWait().ownJobs();
    }

    void draw() throws IOException {
        for (Load load : loads) {
            String name = load.name().replace(' ', '-').toLowerCase(Locale.ROOT);
            context.draw("share-" + name, shares.get(load.name()));
            context.draw("jain-" + name, indices.get(load.name()));
        }
        Chart chart = Chart.bars(
                        "The longest wait for a job",
                        "load",
                        "jobs that GPS would have given meanwhile",
                        loads.stream().map(Load::name).toList())
                .logarithmicY();
        waits.forEach((policy, values) -> chart.add(Series.bars(policy, values)));
        context.draw("wait", chart);
    }

    private static Chart shareChart(Load load) {
        if (load.isSteady()) {
            return Chart.lines(
                            "Jobs of the task of weight " + load.weights()[middle(load)]
                                    + " so far, by what GPS gives: " + load.name(),
                            "cycles",
                            "got / due since the beginning")
                    .mark("GPS", 1);
        }
        String who = load.changes().isEmpty()
                ? "the " + watched(load).length + " queues of weight 100"
                : "the task whose weight changes first";
        return Chart.lines("Share of " + who + ": " + load.name(), "jobs released", "share of the last 1/" + POINTS);
    }

    /** A task whose weight is about half of the largest. */
    private static int middle(Load load) {
        int half = (Arrays.stream(load.weights()).max().orElse(1) + 1) / 2;
        for (int i = 0; i < load.tasks(); i++) {
            if (load.weights()[i] == half) {
                return i;
            }
        }
        return 0;
    }

    private static Series gotByDue(String policy, Load load, Service service) {
        int shown = middle(load);
        double[] sums = new double[2];
        List<Series.Point> points = new ArrayList<>();
        service.intervals(1.0 / POINTS_TO_A_CYCLE, interval -> {
            sums[0] += interval.got()[shown];
            sums[1] += interval.due()[shown];
            if (points.size() < SHOWN_CYCLES * POINTS_TO_A_CYCLE) {
                points.add(new Series.Point((points.size() + 1.0) / POINTS_TO_A_CYCLE, sums[0] / sums[1]));
            }
        });
        return new Series(policy, points);
    }

    /** The tasks whose share is drawn. */
    private static int[] watched(Load load) {
        return load.changes().isEmpty()
                ? IntStream.range(0, load.tasks())
                        .filter(i -> load.weights()[i] == 100)
                        .toArray()
                : new int[] {load.changes().get(0).task()};
    }

    private static Series share(String name, Load load, Service service, boolean gps) {
        int[] watched = watched(load);
        List<Series.Point> points = new ArrayList<>();
        double[] sum = {0};
        int[] from = {0};
        service.intervals(0.01, interval -> {
            for (int task : watched) {
                sum[0] += gps ? interval.due()[task] : interval.got()[task];
            }
            if (interval.jobs() >= from[0] + load.jobs() / POINTS) {
                points.add(new Series.Point(interval.jobs(), sum[0] / (interval.jobs() - from[0])));
                sum[0] = 0;
                from[0] = interval.jobs();
            }
        });
        return new Series(name, points);
    }
}
