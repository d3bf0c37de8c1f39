package dev.weir.bench.system;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import dev.weir.protocol.TaskState;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One dataset with names of 100 characters through {@code ./weir run} with its default heap and options, the reference DSM,
 * RabbitMQ and PostgreSQL, from its task to its close at DSM. Pilots are answers over AMQP that take no time and tell only the end of
 * a job, because it is size that counts here, not rate. Afterwards DSM must have an output of every file and no difference from the
 * check-list, or the benchmark fails.
 */
public final class DatasetBenchmark implements Benchmark {

    private static final int FILES = 1_500_000;
    private static final int QUICK_FILES = 20_000;
    /** With number and ending it has a hundred characters. */
    static final String LONG_NAME =
            "a-name-as-long-as-experiments-give-them-".repeat(3).substring(0, 87);

    /** In which at least one job must be answered, or DSM take something. The check-list of ten million files takes nine minutes alone. */
    private static final long STANDSTILL_SECONDS = 1_800;

    private static final long LOOK_SECONDS = 5;
    private static final String TASK = "large";

    private static final String CLOSED_AT_DSM =
            "SELECT count(*) FROM dataset WHERE uid = 'large.out' AND state <> 'open'";

    @Override
    public String name() {
        return "dataset";
    }

    @Override
    public String description() {
        return "a dataset of 1,500,000 files through the whole system, with pilots that take no time (--files changes the number)";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        long files = context.files().orElse(context.quick() ? QUICK_FILES : FILES);
        Path directory = DefaultWeir.newDirectory(context);
        Path collections = directory.resolve("gc.log");
        try (Site site = new Site(directory)) {
            site.dsm();
            WeirProcess weir = DefaultWeir.start(site, collections);
            context.progress("making a dataset of " + Table.grouped(files) + " files");
            makeDataset(site, files, LONG_NAME);
            try (InstantPilots pilots = new InstantPilots(site, Reports.Told.BRIEFLY)) {
                Watch watch = new Watch(context, directory, site, weir, pilots);
                long start = System.nanoTime();
                site.task(TASK, "in", "none", "file:///store", "");
                watch.until(() -> pilots.jobs() >= files);
                double jobs = secondsSince(start);
                watch.until(() -> site.was(TaskState.CLOSED, TASK));
                double closed = secondsSince(start);
                watch.until(() -> site.database().value(CLOSED_AT_DSM).equals("1"));
                double closedAtDsm = secondsSince(start);
                check(site, files);
                Footprint footprint = new Footprint(collections);
                String what = Table.grouped(files) + " files";
                return List.of(
                        Row.of(what + ", first task to last job", jobs, "s"),
                        Row.of(what + ", jobs", files / jobs, "1/s"),
                        Row.of(what + ", task to closed", closed, "s"),
                        Row.of(what + ", task to closed at DSM, check-list compared", closedAtDsm, "s"),
                        Row.of(what + ", longest time without a job", pilots.longestGapSeconds(), "s"),
                        Row.of(what + ", jobs sent twice", pilots.jobs() - files, ""),
                        Row.of(what + ", heap after a collection, at most", footprint.heapMiB(), "MiB"),
                        Row.of(what + ", longest pause of the collector", footprint.longestPauseMillis(), "ms"),
                        Row.of(what + ", checkpoints, at most", watch.mostStateBytes / (double) (1 << 20), "MiB"));
            }
        }
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    /** As a registration over HTTP would make it, which has a limit of its own: {@code in}, whose files have this name with a number. */
    static void makeDataset(Site site, long files, String name) throws SQLException {
        site.database()
                .run("INSERT INTO entry (dataset_uid, type, position, name, storage_url, path, size)"
                        + " SELECT 'in', 'file', n, '" + name
                        + "' || lpad(n::text, 9, '0') || '.raw', 'file:///store', 'in', 1 FROM generate_series(0, "
                        + (files - 1) + ") n");
        site.database()
                .run("INSERT INTO dataset (uid, state, files, closed_at) VALUES ('in', 'closed', " + files
                        + ", now())");
    }

    private static void check(Site site, long files) throws SQLException, IOException {
        List<String> found = site.database()
                .rows("SELECT state, files, missing, unexpected, (SELECT count(DISTINCT job_uid) FROM entry e WHERE"
                        + " e.dataset_uid = d.uid AND e.type = 'file') FROM dataset d WHERE uid = 'large.out'")
                .get(0);
        String all = String.valueOf(files);
        if (!found.equals(List.of("closed", all, "0", "0", all))) {
            throw new IOException("state, files, missing, unexpected and jobs at DSM are " + found);
        }
    }

    /** Looks at the run every few seconds; fails when it stands still, or when Weir ends. */
    private static final class Watch {

        private final BenchmarkContext context;
        private final Path directory;
        private final Site site;
        private final WeirProcess weir;
        private final InstantPilots pilots;
        private final CountDownLatch never = new CountDownLatch(1);
        private long mostStateBytes;
        private String last = "";
        private long lastNanos;

        Watch(BenchmarkContext context, Path directory, Site site, WeirProcess weir, InstantPilots pilots) {
            this.context = context;
            this.directory = directory;
            this.site = site;
            this.weir = weir;
            this.pilots = pilots;
        }

        /** Whether it is so, by now. */
        interface Question {
            boolean isSo() throws SQLException;
        }

        void until(Question question) throws IOException, SQLException, InterruptedException {
            lastNanos = System.nanoTime();
            while (!question.isSo()) {
                long state = Footprint.bytesBelow(directory.resolve("run"));
                mostStateBytes = Math.max(mostStateBytes, state);
                String now = pilots.jobs() + " jobs, DSM has "
                        + site.database().value("SELECT coalesce(sum(files), 0) FROM dataset WHERE uid = 'large.out'")
                        + " registrations";
                if (!now.equals(last)) {
                    lastNanos = System.nanoTime();
                    last = now;
                }
                context.progress(now + ", state " + (state >> 20) + " MiB");
                if (!weir.isAlive()) {
                    throw new IOException("./weir run has ended:\n" + weir.output());
                }
                if (secondsSince(lastNanos) > STANDSTILL_SECONDS) {
                    throw new IOException("nothing has happened for " + STANDSTILL_SECONDS + " s: " + now);
                }
                never.await(LOOK_SECONDS, TimeUnit.SECONDS);
            }
        }
    }
}
