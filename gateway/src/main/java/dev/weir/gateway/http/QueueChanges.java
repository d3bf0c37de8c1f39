package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.FEEDER;
import static dev.weir.gateway.access.Role.OPERATOR;

import dev.weir.gateway.access.Scope;
import dev.weir.gateway.queues.FreshAnswers;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueEntry.QueueAction;
import dev.weir.protocol.queue.QueueEntry.Redrive;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueEntry.SetLimit;
import dev.weir.protocol.queue.QueueEntry.SetOwner;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Makes, sets and removes queues and what belongs to them. Each change stands in the audit log. */
final class QueueChanges {

    private final QueueDesk desk;
    private final FreshAnswers answers;
    private final Sending sending;

    QueueChanges(QueueDesk desk, FreshAnswers answers, Sending sending) {
        this.desk = desk;
        this.answers = answers;
        this.sending = sending;
    }

    void addTo(RoutesConfig routes) {
        routes.put("/queue/{queue}", this::configure, OPERATOR);
        routes.delete("/queue/{queue}", http -> act(http, Action.DELETE), OPERATOR);
        routes.put("/queue/{queue}/paused", http -> act(http, Action.PAUSE), OPERATOR);
        routes.put("/queue/{queue}/resumed", http -> act(http, Action.RESUME), OPERATOR);
        routes.put("/queue/{queue}/purged", http -> act(http, Action.PURGE), OPERATOR);
        routes.put("/queue/{queue}/owner/{owner}", this::owner, OPERATOR);
        routes.post("/queue/{queue}/redrive", this::redrive, OPERATOR);
        routes.delete("/queue/{queue}/item", this::remove, FEEDER, OPERATOR);
        routes.put("/queue-limit", this::limit, OPERATOR);
    }

    private static String queue(Context http) {
        String queue = Params.uid(http, "queue", "queue");
        Guard.requireScope(http, Scope.Kind.QUEUE, queue);
        return queue;
    }

    private void configure(Context http) {
        Params.allow(http);
        Check.uid("queue", http.pathParam("queue"));
        String queue = queue(http);
        QueueSettings settings = QueueForms.orNone(http, QueueSettings.class);
        change(http, queue, settings, n -> new Configure(n, queue, settings));
    }

    private void act(Context http, Action action) {
        Params.allow(http);
        String queue = queue(http);
        if (action == Action.DELETE || action == Action.PURGE) {
            Guard.requireNoKinds(http, "items of all kinds are removed");
        }
        QueueForms.none(http);
        change(http, queue, null, n -> new QueueAction(n, queue, action));
    }

    private void owner(Context http) {
        Params.allow(http);
        String queue = queue(http);
        String owner = Params.uid(http, "owner", "owner");
        QueueForms.Owner form = QueueForms.orNone(http, QueueForms.Owner.class);
        change(http, queue, form, n -> new SetOwner(n, queue, owner, form.weight(), form.maxItems()));
    }

    private void redrive(Context http) {
        Params.allow(http);
        String queue = queue(http);
        Guard.requireNoKinds(http, "dead items of all kinds wait again");
        QueueForms.Most form = QueueForms.orNone(http, QueueForms.Most.class);
        int most = form.most() == null ? QueueLimits.MAX_ITEMS : form.most();
        change(http, queue, form, n -> new Redrive(n, queue, most));
    }

    private void remove(Context http) {
        Params.allow(http, "key");
        String queue = queue(http);
        Guard.requireNoKinds(http, "an item is removed whatever its kind");
        String key = Params.itemKey(http);
        QueueForms.none(http);
        change(http, queue, Map.of("key", key), n -> new Remove(n, queue, key));
    }

    private void limit(Context http) {
        Params.allow(http);
        QueueForms.Limit form = QueueForms.orNone(http, QueueForms.Limit.class);
        boolean hasLimit = form.maxInFlight() != null || form.maxStarts() != null || form.windowS() != null;
        if (hasLimit == (form.lift() != null && form.lift())) {
            throw new InvalidMessage(
                    hasLimit ? "lift" : "max_in_flight",
                    "give max_in_flight, or max_starts with window_s, or all three; or lift: true, which takes them away");
        }
        LongFunction<SetLimit> made =
                n -> new SetLimit(n, form.group(), form.maxInFlight(), form.maxStarts(), form.windowS());
        String group = made.apply(0).group();
        Guard.requireScope(http, Scope.Kind.GROUP, group);
        change(http, group, form, made);
    }

    /**
     * Sends a change, after the audit log has it.
     *
     * @param id of what is changed
     * @param shown what the audit log shows beside the path; null for nothing
     */
    private void change(Context http, String id, Object shown, LongFunction<? extends QueueEntry> made) {
        // What is not valid is not asked for.
        QueueEntry checked = made.apply(0);
        sending.ask(http, id, shown);
        CompletableFuture<QueueAnswer> coming = desk.ask(made, 0).whenComplete((answer, failure) -> forget(checked));
        QueueReplies.reply(http, coming, answer -> {
            boolean isBusy = checked instanceof QueueAction && answer.status() == Status.REFUSED;
            if (isBusy) {
                throw new Problem(409, "In use", answer.reason());
            }
            QueueReplies.requireDone(http, answer);
            JsonHttp.write(http, 200, new Told(Status.OK, answer.count()));
        });
    }

    /** Before anybody hears that it is done. */
    private void forget(QueueEntry change) {
        if (change instanceof Remove remove) {
            answers.drop(remove.queue(), remove.key());
        } else if (change instanceof QueueAction act && act.action() == Action.DELETE) {
            answers.drop(act.queue());
        }
    }

    /** @param count of items that were moved or removed; null where none are */
    private record Told(QueueAnswer.Status outcome, Integer count) {}
}
