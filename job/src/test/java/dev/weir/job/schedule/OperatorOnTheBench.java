package dev.weir.job.schedule;

import dev.weir.job.intake.Rejections;
import dev.weir.job.lane.LaneOperator;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.job.wire.RowSerializer;
import dev.weir.protocol.Beat;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.Report;
import dev.weir.protocol.Row;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/** The operator "Schedule" alone, on RocksDB state and a clock that the test moves. It plays the sources, DSM and the outlets. */
final class OperatorOnTheBench implements AutoCloseable {

    static final String REPORTS = "weir.reports";

    private final Configuration configuration;
    private final LaneOperator<Row> operator;
    private final KeyedOneInputStreamOperatorTestHarness<Integer, Inbound, Row> harness;
    private final Outlet outlets = new Outlet();
    private long checkpoints;

    /** Starts from nothing at the first millisecond. */
    OperatorOnTheBench(Configuration configuration) throws Exception {
        this(configuration, null, 1);
    }

    private OperatorOnTheBench(Configuration configuration, OperatorSubtaskState state, long nowMillis)
            throws Exception {
        this.configuration = configuration;
        operator = new LaneOperator<>(new ScheduleFunction(configuration));
        harness = new KeyedOneInputStreamOperatorTestHarness<>(operator, Inbound::lane, Types.INT);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        harness.setOutputCreator(rows -> outlets);
        harness.setup(RowSerializer.INSTANCE);
        harness.setProcessingTime(nowMillis);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
    }

    OperatorSubtaskState checkpoint() throws Exception {
        return harness.snapshot(++checkpoints, now());
    }

    /** Another operator that continues from a checkpoint of this one. */
    OperatorOnTheBench restoredFrom(OperatorSubtaskState state) throws Exception {
        return restoredFrom(state, now());
    }

    /** The same, when the clock says another time now. */
    OperatorOnTheBench restoredFrom(OperatorSubtaskState state, long nowMillis) throws Exception {
        return new OperatorOnTheBench(configuration, state, nowMillis);
    }

    /** Another operator that continues from a checkpoint of this one with other settings. */
    OperatorOnTheBench restoredFrom(OperatorSubtaskState state, Configuration changed) throws Exception {
        return new OperatorOnTheBench(changed, state, now());
    }

    long now() {
        return harness.getProcessingTime();
    }

    void pass(long millis) throws Exception {
        harness.setProcessingTime(now() + millis);
    }

    /** The clock goes back. Then the operator runs for a minute, which the harness, whose running time is its clock, cannot play. */
    void stepBack(long millis) throws Exception {
        harness.setProcessingTime(now() - millis);
        operator.wakeLanes();
        pass(60_000);
    }

    /** Its beats come back: no report waits in the broker any more. */
    void catchUp() throws Exception {
        operator.wakeLanes();
        pass(1);
        for (Beat beat : sent(Outlets.BEATS, Beat.class)) {
            report(beat);
        }
    }

    int timers() {
        return harness.numProcessingTimeTimers();
    }

    void arrive(Kind kind, String queue, byte[] body) throws Exception {
        harness.processElement(Inbound.arrived(kind, queue, now(), body), now());
    }

    void report(Report report) throws Exception {
        arrive(Kind.REPORT, REPORTS, Json.write(report));
    }

    void task(String uid, String dataset) throws Exception {
        task(uid, dataset, 0);
    }

    void task(String uid, String dataset, int lane) throws Exception {
        byte[] body = """
                {"uid":"%s","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"%s","dat_out_uid":"%s.out",
                 "dat_stor_url":"file:///store","dat_out_url":"out/%s"}""".formatted(uid, dataset, uid, uid).getBytes(StandardCharsets.UTF_8);
        harness.processElement(
                Inbound.arrived(Kind.TASK, "weir.tasks", now(), body).inLane(lane), now());
    }

    /** Answers every page that was asked for with its part of a dataset of so many files. */
    void servePages(int files) throws Exception {
        for (PageRequest request : sent(Outlets.PAGES, PageRequest.class)) {
            List<FileInfo> page = new ArrayList<>();
            for (long i = request.offset(); i < Math.min(files, request.offset() + request.limit()); i++) {
                page.add(new FileInfo("f" + i, "file:///in", "d", 10L, null, null, null, null));
            }
            harness.processElement(
                    Inbound.arrived(Kind.PAGE_REQUEST, "weir.pages", now(), Json.write(request))
                            .answered(Kind.PAGE, Json.write(new DatasetPage((long) files, page))),
                    now());
        }
    }

    /** Answers every page that was asked for with this answer of DSM. Returns the requests. */
    List<PageRequest> answerPages(byte[] answer) throws Exception {
        List<PageRequest> requests = sent(Outlets.PAGES, PageRequest.class);
        for (PageRequest request : requests) {
            harness.processElement(
                    Inbound.arrived(Kind.PAGE_REQUEST, "weir.pages", now(), Json.write(request))
                            .answered(Kind.PAGE, answer),
                    now());
        }
        return requests;
    }

    /** Jobs that left since the last call. */
    List<Job> jobs() {
        return sent(Outlets.JOBS, Job.class);
    }

    List<Rejected> rejected() {
        return sent(Rejections.TAG, Rejected.class);
    }

    /** What left through an outlet since the last call. */
    <T> List<T> sent(OutputTag<Outbound> outlet, Class<T> type) {
        return outlets.take(outlet).stream()
                .map(message -> Json.read(message.body(), type))
                .toList();
    }

    /** Registrations, closes and ends of tasks that left since the last call. */
    List<Outbound> decisions() {
        return outlets.take(Outlets.DECISIONS);
    }

    /** Row changes that left since the last call. */
    List<Row> rows() {
        return outlets.takeRows();
    }

    /** From now on nothing can be written to any output. */
    void tearOutputs() {
        outlets.tear();
    }

    @Override
    public void close() throws Exception {
        harness.close();
    }
}
