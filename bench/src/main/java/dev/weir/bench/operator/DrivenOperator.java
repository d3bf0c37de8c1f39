package dev.weir.bench.operator;

import dev.weir.job.lane.LaneOperator;
import dev.weir.job.schedule.ScheduleFunction;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Result;
import dev.weir.protocol.Row;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

/**
 * The production operator, with simulated pilots and DSM. Each input element starts a round: the reports of all jobs that are out go in
 * as bytes, and the next jobs come out as bytes. Between elements Flink's mailbox runs
 * timers and checkpoints. Only the time within the operator counts, including checkpoints but not the simulated parts.
 */
final class DrivenOperator extends LaneOperator<Row> {

    static final String CYCLES = "cycles";
    static final String WALL = "wall nanoseconds";
    static final String PROCESSOR = "processor nanoseconds";
    static final String SNAPSHOTS = "nanoseconds in snapshots";

    private final int groups;
    private final int warmUpSeconds;
    private final int seconds;

    private transient Load load;
    private transient Tray tray;
    private transient ThreadMXBean threads;
    private transient Map<Integer, byte[]> pagesByLimit;
    private transient long measureFrom;
    private transient long measureTo;
    private transient long cycles;
    private transient long wall;
    private transient long processor;
    private transient long snapshots;

    /** @param load its number of groups */
    DrivenOperator(Configuration configuration, Load load, int warmUpSeconds, int seconds) {
        super(new ScheduleFunction(configuration));
        this.groups = load.groups();
        this.warmUpSeconds = warmUpSeconds;
        this.seconds = seconds;
    }

    @Override
    protected void setup(StreamTask<?, ?> task, StreamConfig config, Output<StreamRecord<Row>> output) {
        tray = new Tray();
        super.setup(task, config, tray);
    }

    @Override
    public void open() throws Exception {
        super.open();
        load = new Load(groups);
        threads = ManagementFactory.getThreadMXBean();
        pagesByLimit = new HashMap<>();
    }

    @Override
    public void processElement(StreamRecord<Inbound> word) throws Exception {
        long now = System.nanoTime();
        if (measureTo == 0) {
            // While groups are limited, a pool without pilots gets no jobs.
            process(Kind.REPORT, Json.write(idle("pilot-0")));
            for (Task task : load.tasks()) {
                process(Kind.TASK, Json.write(task));
            }
            servePages();
            measureFrom = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds);
            measureTo = measureFrom + TimeUnit.SECONDS.toNanos(seconds);
        } else if (now < measureTo) {
            runAll(now >= measureFrom);
        }
    }

    private void runAll(boolean measured) throws Exception {
        List<byte[]> reports = new ArrayList<>();
        int jobs = tray.jobs.size();
        for (int i = 0; i < jobs; i++) {
            Job job = Json.read(tray.jobs.remove(), Job.class);
            reports.add(Json.write(starting("pilot-" + i, job)));
            reports.add(Json.write(finished("pilot-" + i, job)));
        }
        long wallBefore = System.nanoTime();
        long processorBefore = threads.getCurrentThreadCpuTime();
        while (!tray.beats.isEmpty()) {
            process(Kind.REPORT, tray.beats.remove());
        }
        for (byte[] report : reports) {
            process(Kind.REPORT, report);
            servePages();
        }
        if (measured) {
            wall += System.nanoTime() - wallBefore;
            processor += threads.getCurrentThreadCpuTime() - processorBefore;
            cycles += jobs;
        }
    }

    private static Heartbeat idle(String pilot) {
        return new Heartbeat(pilot, "cpu", null, null, null, null, PilotState.IDLE, null, null, null);
    }

    private static Status starting(String pilot, Job job) {
        return new Status(pilot, "cpu", null, job.uid(), job.attempt(), job.route(), Status.Phase.STARTING);
    }

    private static Result finished(String pilot, Job job) {
        return new Result(
                pilot,
                "cpu",
                null,
                job.uid(),
                job.attempt(),
                job.route(),
                Result.Outcome.FINISHED,
                0,
                null,
                null,
                job.fileOutUrl(),
                100L,
                null,
                job.fileLogUrl(),
                10L,
                null,
                null,
                null);
    }

    private void process(Kind kind, byte[] body) throws Exception {
        super.processElement(new StreamRecord<>(Inbound.arrived(kind, "bench", System.currentTimeMillis(), body)));
    }

    private void servePages() throws Exception {
        while (!tray.pages.isEmpty()) {
            byte[] body = tray.pages.remove();
            PageRequest request = Json.read(body, PageRequest.class);
            byte[] answer = load.isLimited()
                    ? Json.write(load.page(request))
                    : pagesByLimit.computeIfAbsent(request.limit(), limit -> Json.write(load.page(request)));
            super.processElement(
                    new StreamRecord<>(Inbound.arrived(Kind.PAGE_REQUEST, "bench", System.currentTimeMillis(), body)
                            .answered(Kind.PAGE, answer)));
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        long before = System.nanoTime();
        long processorBefore = threads.getCurrentThreadCpuTime();
        super.snapshotState(context);
        if (cycles > 0) {
            snapshots += System.nanoTime() - before;
            wall += System.nanoTime() - before;
            processor += threads.getCurrentThreadCpuTime() - processorBefore;
        }
    }

    @Override
    public void close() throws Exception {
        tell(CYCLES, cycles);
        tell(WALL, wall);
        tell(PROCESSOR, processor);
        tell(SNAPSHOTS, snapshots);
        super.close();
    }

    private void tell(String name, long value) {
        LongCounter counter = getRuntimeContext().getLongCounter(name);
        counter.add(value);
    }
}
