package dev.weir.job.schedule;

import dev.weir.job.intake.Outcomes;
import dev.weir.job.intake.Rejections;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;
import dev.weir.scheduler.api.Effect;
import java.util.List;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Turns the scheduler's effects into messages on the function's outputs. One object serves all events; one thread. */
final class StreamEffects {

    /** A deadline is no message. */
    private static final byte[] NO_BODY = {};

    private final Addresses addresses;
    private final Rejections rejections;
    private final Outcomes outcomes;

    private KeyedProcessFunction<?, ?, ?>.Context context;
    private Collector<Row> rows;
    private Inbound cause;

    StreamEffects(Addresses addresses, Rejections rejections) {
        this.addresses = addresses;
        this.rejections = rejections;
        outcomes = new Outcomes(addresses.eventsExchange());
    }

    /** Effects from here on belong to this event; its message is null for a tick. */
    StreamEffects of(KeyedProcessFunction<?, ?, ?>.Context newContext, Collector<Row> newRows, Inbound newCause) {
        context = newContext;
        rows = newRows;
        cause = newCause;
        return this;
    }

    /** Sends what the scheduler wants done, in this order. */
    void send(List<Effect> effects) {
        effects.forEach(this::send);
    }

    private void send(Effect effect) {
        if (effect instanceof Effect.ShowRow show) {
            rows.collect(show.row());
        } else if (effect instanceof Effect.SendJob send) {
            job(send.pool(), send.job());
        } else if (effect instanceof Effect.Register register) {
            register(register.registration());
        } else if (effect instanceof Effect.SendNotice send) {
            notice(send.pilotId(), send.notice());
        } else if (effect instanceof Effect.Announce announce) {
            event(announce.event());
        } else if (effect instanceof Effect.Answer answer) {
            outcome(answer.outcome());
        } else if (effect instanceof Effect.AskPage ask) {
            page(ask.request());
        } else if (effect instanceof Effect.SendBeat send) {
            beat(send.beat());
        } else if (effect instanceof Effect.Reject reject) {
            reject(reject);
        }
    }

    private void job(String pool, Job job) {
        int priority = (int) Math.max(0, Math.min(9, Math.round(job.rank())));
        context.output(
                Outlets.JOBS,
                new Outbound(
                        "", addresses.jobsPrefix() + pool, job.uid() + ":" + job.attempt(), priority, Json.write(job)));
    }

    private void notice(String pilotId, Notice notice) {
        String about = notice.type().isAboutAttempt() ? notice.jobUid() + ":" + notice.attempt() : pilotId;
        String id = "notice:" + about + ":" + now();
        context.output(Outlets.NOTICES, Outbound.toExchange(addresses.noticesExchange(), pilotId, id, notice));
    }

    private void register(Registration registration) {
        context.output(Outlets.DECISIONS, Outbound.toQueue(addresses.registerQueue(), registration.id(), registration));
    }

    private void event(TaskEvent event) {
        Journal.announced(event);
        context.output(
                event.state().isTerminal() ? Outlets.DECISIONS : Outlets.EVENTS,
                Outbound.toExchange(addresses.eventsExchange(), event.routingKey(), event.id(), event));
    }

    private void outcome(Outcome outcome) {
        context.output(Outcomes.TAG, outcomes.of(outcome, now()));
    }

    private void page(PageRequest request) {
        String id = "page:" + request.taskUid() + ":" + request.offset() + ":" + now();
        context.output(Outlets.PAGES, Outbound.toQueue(addresses.pagesQueue(), id, request));
    }

    private void reject(Effect.Reject reject) {
        if (reject.waited() == null) {
            rejected(reject.reason(), reject.field());
            return;
        }
        Inbound again = Inbound.arrived(Kind.COMMAND, addresses.commandsQueue(), now(), Json.write(reject.waited()));
        Journal.rejected(again, reject.reason());
        context.output(Rejections.TAG, rejections.of(again, reject.field(), reject.reason()));
    }

    /**
     * The message of the event at hand could not be taken.
     *
     * @param field the field at fault; null when the message as a whole is
     */
    void rejected(String reason, String field) {
        Inbound message =
                cause != null ? cause : Inbound.arrived(Kind.REPORT, addresses.reportsQueue(), now(), NO_BODY);
        Journal.rejected(message, reason);
        context.output(Rejections.TAG, rejections.of(message, field, reason));
    }

    private void beat(Beat beat) {
        context.output(
                Outlets.BEATS, Outbound.toQueue(addresses.reportsQueue(), "beat:" + beat.route() + ":" + now(), beat));
    }

    private long now() {
        return context.timerService().currentProcessingTime();
    }
}
