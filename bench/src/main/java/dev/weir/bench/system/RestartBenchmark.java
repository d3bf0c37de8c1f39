package dev.weir.bench.system;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * {@code ./weir run} with its defaults and a dataset in random order, which is read to its end while files wait: how long a stop
 * with savepoints takes while all files wait, and how long it is from the next start to a new job. Pilots are answers over AMQP that take
 * no time. It fails when a file runs twice; with {@link #MOST_TO_THE_END} files or fewer it runs them all, and fails when one does not run.
 */
public final class RestartBenchmark implements Benchmark {

    private static final int FILES = 10_000_000;
    private static final int QUICK_FILES = 20_000;
    private static final int MOST_TO_THE_END = 500_000;
    private static final double GOAL_SECONDS = 60;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final double GROWS = 1.01;
    private static final long LOOK_MILLIS = 20;
    /** The jobs of Flink that {@code ./weir run} stops: schedule and mirror. */
    private static final int SAVEPOINTS = 2;

    private final CountDownLatch never = new CountDownLatch(1);
    private final Set<String> files = ConcurrentHashMap.newKeySet();
    private final AtomicLong twice = new AtomicLong();

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String description() {
        return "a stop with savepoints and a new start while 10,000,000 files wait (--files changes the number)";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        long number = context.files().orElse(context.quick() ? QUICK_FILES : FILES);
        Duration between = Duration.ofSeconds(context.quick() ? 2 : 20);
        String what = Table.grouped(number) + " files, ";
        List<Row> rows = new ArrayList<>();
        Path directory = DefaultWeir.newDirectory(context);
        try (Site site = new Site(directory)) {
            site.dsm();
            context.progress("making a dataset of " + Table.grouped(number) + " files");
            DatasetBenchmark.makeDataset(site, number, DatasetBenchmark.LONG_NAME);
            WeirProcess weir = start(site, directory, "before");
            context.progress("reading it");
            long task = System.nanoTime();
            site.task("large", "in", "none", "file:///store", ",\"order\":\"random\"");
            awaitRead(context, directory, Duration.ofSeconds(context.quick() ? 3 : 15));
            rows.add(Row.of(what + "task until all were read, at most", secondsSince(task), "s"));
            try (InstantPilots pilots = new InstantPilots(site, Reports.Told.FULLY, job -> count(job.fileInUrl()))) {
                await(LIMIT, "first job", () -> pilots.jobs() > 0);
                never.await(between.toMillis(), TimeUnit.MILLISECONDS);

                context.progress("stopping");
                long start = System.nanoTime();
                weir.stop(LIMIT);
                rows.add(Row.atMost(what + "stop with savepoints", secondsSince(start), GOAL_SECONDS, "s"));
                List<Path> saved = savepoints(directory);
                requireAllRead(site, saved, number);
                long bytes = saved.stream().mapToLong(Footprint::bytesBelow).sum();
                rows.add(Row.of(what + "savepoints", bytes / (double) (1 << 20), "MiB"));
                // What was sent before the stop is done by then, so that the next job is a new one.
                awaitSilence(pilots);

                long jobs = pilots.jobs();
                context.progress("starting again, after " + jobs + " jobs");
                long again = System.nanoTime();
                CompletableFuture<WeirProcess> next =
                        CompletableFuture.supplyAsync(() -> start(site, directory, "after"));
                await(LIMIT, "new job", () -> pilots.jobs() > jobs || next.isCompletedExceptionally());
                rows.add(Row.atMost(what + "start to first new job", secondsSince(again), GOAL_SECONDS, "s"));
                next.join();
                never.await(between.toMillis(), TimeUnit.MILLISECONDS);
                if (number <= MOST_TO_THE_END) {
                    await(LIMIT, "job of each file", () -> files.size() == number);
                }
                double heap = Math.max(heapMiB(directory, "before"), heapMiB(directory, "after"));
                rows.add(Row.of(what + "heap after a collection, at most", heap, "MiB"));
                rows.add(Row.of(what + "jobs before and after", pilots.jobs(), ""));
                rows.add(Row.atMost(what + "files that ran twice", twice.get(), 0, ""));
            }
        }
        if (twice.get() > 0) {
            throw new IOException(twice + " files ran twice: " + rows);
        }
        return rows;
    }

    private void count(String file) {
        if (!files.add(file)) {
            twice.incrementAndGet();
        }
    }

    private static WeirProcess start(Site site, Path directory, String name) {
        try {
            return DefaultWeir.start(site, collections(directory, name));
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static Path collections(Path directory, String name) {
        return directory.resolve("gc-" + name + ".log");
    }

    private static double heapMiB(Path directory, String name) throws IOException {
        return new Footprint(collections(directory, name)).heapMiB();
    }

    /** A job that did not stop with one in time was cancelled, and goes on from its last checkpoint. */
    private static List<Path> savepoints(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("run"))) {
            List<Path> found = all.filter(one -> one.getFileName().toString().startsWith("savepoint-"))
                    .toList();
            if (found.size() != SAVEPOINTS) {
                throw new IOException("stopped with " + found.size() + " savepoints of " + SAVEPOINTS + ": " + found);
            }
            return found;
        }
    }

    private static void requireAllRead(Site site, List<Path> savepoints, long files)
            throws IOException, InterruptedException {
        Path schedule = savepoints.stream()
                .filter(one -> one.getParent().endsWith("schedule"))
                .findFirst()
                .orElseThrow(() -> new IOException("no savepoint of the job schedule among " + savepoints));
        String shown = site.start(
                        "state",
                        List.of("-Xmx1g"),
                        WeirProcess.WEIR,
                        List.of("state", schedule.toString(), "--json"),
                        "")
                .awaitEnd(LIMIT);
        if (!shown.contains("\"readTo\":" + files + ",")) {
            throw new IOException("Weir was stopped before it had read all files: " + shown);
        }
    }

    /** All is read when the state has stopped growing; nothing shows it sooner from outside. */
    private void awaitRead(BenchmarkContext context, Path directory, Duration look) throws InterruptedException {
        long before;
        long now = 0;
        do {
            before = now;
            never.await(look.toMillis(), TimeUnit.MILLISECONDS);
            now = Footprint.bytesBelow(directory.resolve("run"));
            context.progress("state has " + (now >> 20) + " MiB");
        } while (now > before * GROWS);
    }

    /** The pilots answer what is in their queue at once. */
    private void awaitSilence(InstantPilots pilots) throws InterruptedException {
        long before;
        do {
            before = pilots.jobs();
            never.await(1, TimeUnit.SECONDS);
        } while (pilots.jobs() > before);
    }

    private void await(Duration limit, String what, BooleanSupplier isSo) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            if (secondsSince(start) > limit.toSeconds()) {
                throw new IOException("no " + what + " within " + limit.toSeconds() + " s");
            }
            never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
