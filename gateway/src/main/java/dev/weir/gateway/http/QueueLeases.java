package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.WORKER;

import dev.weir.gateway.access.Scope;
import dev.weir.gateway.queues.FreshAnswers;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Extend;
import dev.weir.protocol.queue.QueueEntry.Hold;
import dev.weir.web.JsonHttp;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Workers end leases, and keep them. Who has the token of a lease has the lease. */
final class QueueLeases {

    private static final String END = "\0";
    /** Of what a token says: queue, number, lease and key. */
    private static final int FIELDS = 4;

    private final QueueDesk desk;
    private final FreshAnswers answers;
    private final QueueFollowUps followUps;

    QueueLeases(QueueDesk desk, FreshAnswers answers) {
        this.desk = desk;
        this.answers = answers;
        this.followUps = new QueueFollowUps(desk);
    }

    void addTo(RoutesConfig routes) {
        routes.post("/queue/{queue}/done", this::done, WORKER, OPERATOR);
        routes.post("/queue/{queue}/extend", this::extend, WORKER, OPERATOR);
        routes.post("/queue/{queue}/hold", this::hold, WORKER, OPERATOR);
    }

    /** What came of one. */
    private record Told(Status outcome, String reason, Integer leaseS) {}

    private static String queue(Context http) {
        Params.allow(http);
        String queue = Params.uid(http, "queue", "queue");
        Guard.requireScope(http, Scope.Kind.QUEUE, queue);
        return queue;
    }

    private void done(Context http) {
        String queue = queue(http);
        QueueForms.Ended form = QueueForms.read(http, QueueForms.Ended.class);
        if (!form.isSeveral()) {
            List<QueueFollowUps.FollowUp> more = QueueFollowUps.read(http, queue, form.push());
            one(http, queue, form.token(), done("", form), more, key -> answers.drop(queue, key));
            return;
        }
        List<String> tokens = new ArrayList<>();
        List<LongFunction<? extends QueueEntry>> entries = new ArrayList<>();
        for (int i = 0; i < form.items().size(); i++) {
            QueueForms.Ended one = form.items().get(i);
            tokens.add(one.token());
            entries.add(done("items[" + i + "].", one));
        }
        several(http, queue, tokens, entries, key -> answers.drop(queue, key));
    }

    private static LongFunction<Done> done(String at, QueueForms.Ended form) {
        QueueForms.refuseNested(at, form.items());
        if (!at.isEmpty() && form.push() != null && !form.push().isEmpty()) {
            throw new InvalidMessage(at + "push", "push goes with the end of one lease, not of several");
        }
        // What generated clients send for a result that is left out; of a finished one null is a result.
        boolean hasNone = form.result() == null || form.result().isNull() && form.end() != End.FINISHED;
        Payload result = hasNone ? null : QueueForms.carried(at + "result", form.result());
        LongFunction<Done> made = n -> new Done(
                n,
                form.token(),
                form.end(),
                result,
                form.error(),
                form.retry(),
                form.freshS(),
                form.staleS(),
                form.digest(),
                form.next());
        QueueForms.named(at, () -> made.apply(0));
        return made;
    }

    private void extend(Context http) {
        String queue = queue(http);
        QueueForms.Extended form = QueueForms.read(http, QueueForms.Extended.class);
        if (!form.isSeveral()) {
            one(http, queue, form.token(), extend("", form), List.of(), key -> {});
            return;
        }
        List<String> tokens = new ArrayList<>();
        List<LongFunction<? extends QueueEntry>> entries = new ArrayList<>();
        for (int i = 0; i < form.items().size(); i++) {
            QueueForms.Extended one = form.items().get(i);
            tokens.add(one.token());
            entries.add(extend("items[" + i + "].", one));
        }
        several(http, queue, tokens, entries, key -> {});
    }

    private static LongFunction<Extend> extend(String at, QueueForms.Extended form) {
        QueueForms.refuseNested(at, form.items());
        LongFunction<Extend> made = n -> new Extend(n, form.token(), form.leaseS());
        QueueForms.named(at, () -> made.apply(0));
        return made;
    }

    private void hold(Context http) {
        String queue = queue(http);
        QueueForms.Held form = QueueForms.read(http, QueueForms.Held.class);
        LongFunction<Hold> made = n -> new Hold(n, form.token(), form.group(), Check.required("hold_s", form.holdS()));
        Guard.requireScope(http, Scope.Kind.GROUP, made.apply(0).group());
        one(http, queue, form.token(), made, List.of(), key -> {});
    }

    /**
     * @param first what must be accepted before
     * @param then hears the key of the lease as soon as the queues have answered, before the client does
     */
    private void one(
            Context http,
            String queue,
            String token,
            LongFunction<? extends QueueEntry> entry,
            List<QueueFollowUps.FollowUp> first,
            Consumer<String> then) {
        Sending.keepOutOfAudit(http);
        String key = keyOf(queue, token);
        CompletableFuture<QueueAnswer> answer = key == null
                ? CompletableFuture.completedFuture(foreign(queue))
                : after(http, first, () -> desk.ask(entry, 0)).whenComplete((done, failure) -> then.accept(key));
        QueueReplies.replyDone(http, answer, done -> JsonHttp.write(http, 200, told(done)));
    }

    private CompletableFuture<QueueAnswer> after(
            Context http, List<QueueFollowUps.FollowUp> first, Supplier<CompletableFuture<QueueAnswer>> ask) {
        return first.isEmpty() ? ask.get() : followUps.accepted(http, first).thenCompose(accepted -> ask.get());
    }

    private void several(
            Context http,
            String queue,
            List<String> tokens,
            List<LongFunction<? extends QueueEntry>> entries,
            Consumer<String> then) {
        Sending.keepOutOfAudit(http);
        List<String> keys = tokens.stream().map(token -> keyOf(queue, token)).toList();
        List<LongFunction<? extends QueueEntry>> ours = IntStream.range(0, keys.size())
                .filter(i -> keys.get(i) != null)
                .<LongFunction<? extends QueueEntry>>mapToObj(entries::get)
                .toList();
        Iterator<CompletableFuture<QueueAnswer>> coming = desk.askAll(ours, 0).iterator();
        List<CompletableFuture<QueueAnswer>> heard = keys.stream()
                .map(key -> key == null
                        ? CompletableFuture.completedFuture(foreign(queue))
                        : coming.next().whenComplete((done, failure) -> then.accept(key)))
                .toList();
        QueueReplies.reply(
                http,
                QueueReplies.all(heard),
                answered -> JsonHttp.write(
                        http,
                        200,
                        Map.of(
                                "outcomes",
                                answered.stream().map(QueueLeases::told).toList())));
    }

    private static Told told(QueueAnswer answer) {
        return new Told(answer.status(), answer.reason(), answer.leaseS());
    }

    /** The scope is checked for the queue of the path, so the lease must be of that one. */
    private static QueueAnswer foreign(String queue) {
        return QueueAnswer.of(0, Status.STALE, "the token is of no lease of queue " + queue);
    }

    /** The key of which a token says that it is; null if it is of no key of this queue. Whether it is genuine only the queues know. */
    private static String keyOf(String queue, String token) {
        int dot = token.indexOf('.');
        if (dot < 0) {
            return null;
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(token.substring(0, dot)), StandardCharsets.UTF_8);
            String[] fields = text.split(END, FIELDS);
            return fields.length == FIELDS && fields[0].equals(queue) ? fields[FIELDS - 1] : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
