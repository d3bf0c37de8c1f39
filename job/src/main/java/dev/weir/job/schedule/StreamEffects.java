package dev.weir.job.schedule;

import dev.weir.job.intake.Rejections;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;
import dev.weir.scheduler.Effects;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Turns the scheduler's effects into messages on the function's outputs. One object serves all events; one thread. */
final class StreamEffects implements Effects {

    /** A deadline is no message. */
    private static final byte[] NO_BODY = {};

    private final Addresses addresses;
    private final Rejections rejections;
    private final Map<String, OutputTag<Outbound>> jobOutlets;

    private KeyedProcessFunction<?, ?, ?>.Context context;
    private Collector<Row> rows;
    private Inbound cause;
    private boolean begun;

    StreamEffects(Addresses addresses, Rejections rejections, List<String> pools) {
        this.addresses = addresses;
        this.rejections = rejections;
        this.jobOutlets = Outlets.jobs(pools);
    }

    /** Effects from here on belong to this event; its message is null for a tick. */
    StreamEffects of(KeyedProcessFunction<?, ?, ?>.Context newContext, Collector<Row> newRows, Inbound newCause) {
        context = newContext;
        rows = newRows;
        cause = newCause;
        begun = false;
        return this;
    }

    /**
     * The core calls effects only after it has stored its decision. An exception from there on is the output's, and the event must
     * not be rejected as if nothing had happened.
     */
    void rethrowIfBegun(RuntimeException failure) {
        if (begun) {
            throw failure;
        }
    }

    @Override
    public void job(String pool, Job job) {
        begun = true;
        OutputTag<Outbound> outlet = jobOutlets.get(pool);
        if (outlet == null) {
            throw new IllegalStateException("a job for pool " + pool + ", which weir.pools does not name");
        }
        int priority = (int) Math.max(0, Math.min(9, Math.round(job.rank())));
        context.output(
                outlet,
                new Outbound(
                        "", addresses.jobsPrefix() + pool, job.uid() + ":" + job.attempt(), priority, Json.write(job)));
    }

    @Override
    public void notice(String pilotId, Notice notice) {
        begun = true;
        String about = notice.type().isAboutAttempt() ? notice.jobUid() + ":" + notice.attempt() : pilotId;
        String id = "notice:" + about + ":" + now();
        context.output(Outlets.NOTICES, Outbound.toExchange(addresses.noticesExchange(), pilotId, id, notice));
    }

    @Override
    public void register(Registration registration) {
        begun = true;
        context.output(Outlets.DECISIONS, Outbound.toQueue(addresses.registerQueue(), registration.id(), registration));
    }

    @Override
    public void event(TaskEvent event) {
        begun = true;
        context.output(
                event.state().isTerminal() ? Outlets.DECISIONS : Outlets.EVENTS,
                Outbound.toExchange(addresses.eventsExchange(), event.routingKey(), event.id(), event));
    }

    @Override
    public void page(PageRequest request) {
        begun = true;
        String id = "page:" + request.taskUid() + ":" + request.offset() + ":" + now();
        context.output(Outlets.PAGES, Outbound.toQueue(addresses.pagesQueue(), id, request));
    }

    @Override
    public void rejected(String reason, String field) {
        begun = true;
        Inbound message =
                cause != null ? cause : Inbound.arrived(Kind.REPORT, addresses.reportsQueue(), now(), NO_BODY);
        context.output(Rejections.TAG, rejections.of(message, field, reason));
    }

    @Override
    public void rejectedAfterWaiting(Object message, String reason, String field) {
        begun = true;
        Inbound again = message instanceof Command
                ? Inbound.arrived(Kind.COMMAND, addresses.commandsQueue(), now(), Json.write(message))
                : Inbound.arrived(Kind.REPORT, addresses.reportsQueue(), now(), Json.write(message));
        context.output(Rejections.TAG, rejections.of(again, field, reason));
    }

    @Override
    public void row(Row row) {
        begun = true;
        rows.collect(row);
    }

    @Override
    public void beat(Beat beat) {
        begun = true;
        context.output(
                Outlets.BEATS, Outbound.toQueue(addresses.reportsQueue(), "beat:" + beat.route() + ":" + now(), beat));
    }

    private long now() {
        return context.timerService().currentProcessingTime();
    }
}
