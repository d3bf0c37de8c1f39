package dev.weir.job.intake;

import dev.weir.job.wire.Inbound;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.NewTask;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Passes valid messages on, each with its lane, and sends the others to {@code weir.rejected} with a
 * reason; the sender of a task or command is told, too, if its id can be read. A message about all lanes (idle heartbeats, limits, pools, pilots) goes to each lane.
 *
 * <p>The body is passed on unchanged and parsed again by the scheduling function. That costs a few microseconds; a second
 * wire format would have to be kept compatible.
 */
public final class Validate extends ProcessFunction<Inbound, Inbound> {

    private final Lanes lanes;
    private final Rejections rejections;
    private final Outcomes outcomes;

    public Validate(Lanes lanes, Rejections rejections, Outcomes outcomes) {
        this.lanes = lanes;
        this.rejections = rejections;
        this.outcomes = outcomes;
    }

    @Override
    public void processElement(Inbound message, Context context, Collector<Inbound> out) {
        try {
            switch (message.kind()) {
                case TASK ->
                    out.collect(message.inLane(lanes.ofTask(
                            NewTask.check(Json.read(message.body(), Task.class)).uid())));
                case PAGE_REQUEST ->
                    out.collect(message.inLane(lanes.ofTask(
                            Json.read(message.body(), PageRequest.class).taskUid())));
                case COMMAND -> command(message, Json.read(message.body(), Command.class), out);
                case REPORT -> report(message, Json.read(message.body(), Report.class), out);
                case PAGE, PAGE_FAILED, PAGE_UNAVAILABLE ->
                    throw new IllegalStateException(
                            "the schedule job cannot receive " + message.kind() + " on " + message.queue());
            }
        } catch (InvalidMessage e) {
            context.output(Rejections.TAG, rejections.of(message, e.field(), e.getMessage()));
            outcomes.refused(message, e).ifPresent(refused -> context.output(Outcomes.TAG, refused));
        }
    }

    private void command(Inbound message, Command command, Collector<Inbound> out) {
        if (command instanceof Command.AboutTask about) {
            out.collect(message.inLane(lanes.ofTask(about.taskUid())));
        } else {
            toAll(message, out);
        }
    }

    private void report(Inbound message, Report report, Collector<Inbound> out) {
        if (report instanceof Heartbeat heartbeat) {
            if (heartbeat.jobUid() == null) {
                toAll(message, out);
            } else {
                out.collect(message.inLane(lanes.ofRoute(heartbeat.route())));
            }
        } else if (report instanceof Status status) {
            out.collect(message.inLane(lanes.ofRoute(status.route())));
        } else if (report instanceof Result result) {
            out.collect(message.inLane(lanes.ofRoute(result.route())));
        } else if (report instanceof Beat beat) {
            out.collect(message.inLane(lanes.ofRoute(beat.route())));
        }
    }

    private void toAll(Inbound message, Collector<Inbound> out) {
        for (int lane = 0; lane < lanes.count(); lane++) {
            out.collect(message.inLane(lane));
        }
    }
}
