package dev.weir.cli.demo;

import dev.weir.cli.demo.Datasets.Dataset;
import dev.weir.cli.embedded.DataDirectory;
import dev.weir.cli.embedded.LocalWeir;
import dev.weir.cli.embedded.PilotProcesses;
import dev.weir.job.start.StartFrom;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;

/** The demo from its start to its table. The caller has opened its directory and stops the remaining processes. */
public final class Demo implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(250);

    private final DemoSettings settings;
    private final DataDirectory data;
    private final PrintStream out;
    private final boolean terminal;
    private final Watch watch = new Watch();
    private LocalWeir weir;
    private PilotProcesses pilots;

    /**
     * @param out for messages to people
     * @param terminal whether {@code out} is a terminal
     */
    public Demo(DemoSettings settings, DataDirectory data, PrintStream out, boolean terminal) {
        this.settings = settings;
        this.data = data;
        this.out = out;
        this.terminal = terminal;
    }

    /** Runs the demo; {@link DemoResult#isGood} says whether it succeeded. */
    public DemoResult run() throws IOException, InterruptedException {
        Instant start = Instant.now();
        Instant deadline = start.plus(settings.timeout());
        say("Starting broker, database, DSM, gateway and Flink; copying files of the local JDK ...");
        data.forgetState();
        DataDirectory.deleteTree(data.storage());
        DataDirectory.deleteTree(data.datasets());
        Programs.install(data.executables());
        List<Dataset> datasets = Datasets.copy(settings.tasks(), settings.files(), data.datasets());
        weir = LocalWeir.start(data, settings.ports(), flinkSettings(), StartFrom.NEWEST);
        register(datasets);
        startPilots();
        Scenario scenario = new Scenario(data.storage());
        List<DemoTask> tasks = scenario.tasks(datasets);
        try (Wfms wfms = Wfms.connect(weir.broker().uri(), watch)) {
            weir.startJobs(job -> "start the demo again, which deletes the data of this one");
            say("Dashboard:  " + weir.addresses().gateway() + "/  (token "
                    + weir.addresses().token() + ")");
            say("Gateway:    " + weir.addresses().gateway() + "/docs  (the same token)");
            say("Flink:      " + weir.addresses().flink());
            say("Database:   " + weir.databaseShown() + "  (password in " + weir.passwordFile() + ")");
            say("Outputs:    " + data.storage());
            say("Logs:       " + data.logs());
            awaitTasks(deadline);
            say("Started in " + seconds(start) + " s; sending " + tasks.size() + " tasks for " + settings.pilots()
                    + " pilots.");
            Instant sent = Instant.now();
            for (DemoTask task : tasks) {
                watch.expect(task);
                wfms.send(task.task());
            }
            follow(wfms, scenario, tasks, deadline);
            return result(tasks, sent, deadline);
        }
    }

    /** Short checkpoint intervals, because closes wait for them; and no node is set aside because of the files that fail. */
    private static Configuration flinkSettings() {
        Configuration settings = new Configuration();
        settings.setString("execution.checkpointing.interval", "1 s");
        settings.setString("weir.scheduling.set-aside-after", "0");
        return settings;
    }

    private void register(List<Dataset> datasets) throws IOException {
        for (Dataset dataset : datasets) {
            try {
                weir.dsm().addDirectory(dataset.uid(), dataset.directory(), (files, ofFiles, bytes) -> {});
            } catch (SQLException e) {
                throw new IOException("DSM does not accept dataset " + dataset.uid() + ": " + e.getMessage(), e);
            }
        }
    }

    private void startPilots() throws IOException {
        pilots = new PilotProcesses(
                weir.broker().uri(),
                data.root().resolve("pilots"),
                data.logs(),
                List.of(data.executables()),
                List.of(data.datasets(), data.storage()));
        for (int i = 1; i < settings.pilots(); i++) {
            pilots.start("cpu-" + i, List.of(Names.CPU_POOL), "CPU");
        }
        pilots.start("gpu-1", List.of(Names.GPU_POOL), "CPU+GPU");
    }

    /** Waits before any task is sent; otherwise the bars would stay at zero without a reason. */
    private void awaitTasks(Instant deadline) throws IOException, InterruptedException {
        boolean running = weir.jobs().awaitRunning(Duration.between(Instant.now(), deadline), this::say);
        checkAlive();
        if (!running) {
            throw new IOException(
                    "Flink's tasks do not run within " + settings.timeout().toSeconds() + " s; the reason is in "
                            + data.logs().resolve("weir.log") + "; --timeout allows more time");
        }
    }

    private void follow(Wfms wfms, Scenario scenario, List<DemoTask> tasks, Instant deadline)
            throws IOException, InterruptedException {
        DemoTask merged = tasks.stream()
                .filter(task -> task.name().equals(Scenario.MERGED))
                .findFirst()
                .orElseThrow();
        boolean mergeSent = false;
        try (ProgressView view = ProgressView.on(out, terminal)) {
            while (true) {
                if (!mergeSent && watch.progress(merged).isClosed()) {
                    DemoTask merge = scenario.merge(merged);
                    watch.expect(merge);
                    wfms.send(merge.task());
                    tasks.add(merge);
                    mergeSent = true;
                }
                List<Progress> progress = watch.progress();
                view.show(progress);
                boolean over = progress.stream().allMatch(Progress::isOver);
                if (over && (mergeSent || !watch.progress(merged).isClosed())) {
                    return;
                }
                checkAlive();
                if (Instant.now().isAfter(deadline)) {
                    return;
                }
                watch.awaitNews(LOOK);
            }
        }
    }

    private void checkAlive() throws IOException {
        if (pilots.alive() == 0) {
            throw new IOException("all pilots have ended; their logs are in " + data.logs());
        }
        if (weir.jobs().firstEnd().isDone()) {
            throw new IOException("Flink job " + weir.jobs().firstEnd().join() + " has ended; the reason is in "
                    + data.logs().resolve("weir.log"));
        }
    }

    private DemoResult result(List<DemoTask> tasks, Instant sent, Instant deadline)
            throws IOException, InterruptedException {
        double seconds = Double.parseDouble(seconds(sent));
        Audit audit = new Audit(URI.create(weir.addresses().dsm()));
        Map<String, Double> jobShares = new LinkedHashMap<>();
        Map<String, Double> weightShares = new LinkedHashMap<>();
        Map<String, List<DemoTask>> pools = tasks.stream()
                .filter(task -> !task.isMerge())
                .collect(Collectors.groupingBy(DemoTask::pool, LinkedHashMap::new, Collectors.toList()));
        for (List<DemoTask> pool : pools.values()) {
            Map<String, Integer> jobs = new LinkedHashMap<>();
            Map<String, Integer> weights = new LinkedHashMap<>();
            pool.forEach(task -> jobs.put(task.uid(), task.jobs()));
            pool.forEach(task -> weights.put(task.uid(), task.weight()));
            jobShares.putAll(Shares.of(watch.starts(), jobs));
            weightShares.putAll(Shares.ofWeights(weights));
        }
        List<Row> rows = new ArrayList<>();
        for (Progress progress : watch.progress()) {
            DemoTask task = progress.task();
            rows.add(new Row(
                    progress,
                    audit.of(task, progress.isClosed()),
                    jobShares.get(task.uid()),
                    weightShares.get(task.uid()),
                    data.storage().resolve(task.task().datOutUrl()).toString()));
        }
        return new DemoResult(rows, Summary.of(rows, seconds), Instant.now().isAfter(deadline));
    }

    private static String seconds(Instant since) {
        return String.valueOf(Duration.between(since, Instant.now()).toMillis() / 100 / 10.0);
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Stops pilots, jobs and services, in this order; an interrupted wait for the pilots does not skip the others. */
    @Override
    public void close() throws InterruptedException {
        try {
            if (pilots != null) {
                pilots.close();
            }
        } finally {
            if (weir != null) {
                weir.abandonJobs();
                weir.close();
            }
        }
    }
}
