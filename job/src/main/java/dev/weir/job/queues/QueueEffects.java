package dev.weir.job.queues;

import dev.weir.job.intake.Rejections;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueBeat;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.protocol.queue.QueueLow;
import dev.weir.queues.api.Effect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Turns the effects of the queues into messages on the function's outputs. One object serves all events; one thread. */
final class QueueEffects {

    static final OutputTag<Outbound> BEATS = new OutputTag<>("beats", Outbound.TYPE);

    /** What all may hear: {@code queue.low}. */
    static final OutputTag<Outbound> EVENTS = new OutputTag<>("events", Outbound.TYPE);

    /** A deadline is no message. */
    private static final byte[] NO_BODY = {};

    private final String answersExchange;
    private final String doneQueue;
    private final String eventsExchange;
    private final Rejections rejections;

    private KeyedProcessFunction<?, ?, ?>.Context context;
    private Collector<Outbound> answers;
    private Inbound cause;

    QueueEffects(String answersExchange, String doneQueue, String eventsExchange, Rejections rejections) {
        this.answersExchange = answersExchange;
        this.doneQueue = doneQueue;
        this.eventsExchange = eventsExchange;
        this.rejections = rejections;
    }

    /** Effects from here on belong to this event; its message is null for a tick. */
    void of(KeyedProcessFunction<?, ?, ?>.Context newContext, Collector<Outbound> newAnswers, Inbound newCause) {
        context = newContext;
        answers = newAnswers;
        cause = newCause;
    }

    /** The answers of one event to a gateway leave in one message, if they fit. */
    void send(List<Effect> effects) {
        Map<String, List<QueueAnswer>> byGateway = new LinkedHashMap<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Answer answer) {
                byGateway
                        .computeIfAbsent(answer.gateway(), gateway -> new ArrayList<>())
                        .add(answer.answer());
            } else if (effect instanceof Effect.SendBeat send) {
                beat(send.beat());
            } else if (effect instanceof Effect.AnnounceLow low) {
                low(new QueueLow(low.queue(), low.items()));
            }
        }
        byGateway.forEach(this::answer);
    }

    private void answer(String gateway, List<QueueAnswer> all) {
        byte[] body = all.size() <= QueueLimits.MAX_ENTRIES ? Json.write(new QueueAnswers(all)) : null;
        if (body == null || body.length > Limits.MAX_MESSAGE_BYTES && all.size() > 1) {
            answer(gateway, all.subList(0, all.size() / 2));
            answer(gateway, all.subList(all.size() / 2, all.size()));
            return;
        }
        String id = "answer:" + gateway + ":" + all.get(0).n() + ":" + now();
        answers.collect(new Outbound(answersExchange, gateway, id, 0, body));
    }

    private void beat(QueueBeat beat) {
        context.output(BEATS, Outbound.toQueue(doneQueue, "beat:queues:" + now(), beat));
    }

    private void low(QueueLow low) {
        String id = "low:" + low.queue() + ":" + now();
        context.output(EVENTS, Outbound.toExchange(eventsExchange, QueueLow.ROUTING_KEY, id, low));
    }

    /**
     * The message of the event at hand could not be taken.
     *
     * @param field the field at fault; null when the message as a whole is
     */
    void rejected(String reason, String field) {
        Inbound message = cause != null ? cause : Inbound.arrived(Kind.QUEUE_REQUEST, doneQueue, now(), NO_BODY);
        context.output(Rejections.TAG, rejections.of(message, field, reason));
    }

    private long now() {
        return context.timerService().currentProcessingTime();
    }
}
