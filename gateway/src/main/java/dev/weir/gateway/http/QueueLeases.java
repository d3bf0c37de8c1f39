package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.WORKER;

import dev.weir.gateway.access.Scope;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.Check;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.Extend;
import dev.weir.protocol.queue.QueueEntry.Hold;
import dev.weir.web.JsonHttp;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Workers end leases, and keep them. Who has the token of a lease has the lease. */
final class QueueLeases {

    private final QueueDesk desk;

    QueueLeases(QueueDesk desk) {
        this.desk = desk;
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
        if (!QueueForms.isSeveral(form.items(), form.token() != null)) {
            one(http, queue, form.token(), done("", form));
            return;
        }
        List<String> tokens = new ArrayList<>();
        List<LongFunction<? extends QueueEntry>> entries = new ArrayList<>();
        for (int i = 0; i < form.items().size(); i++) {
            QueueForms.Ended one = form.items().get(i);
            tokens.add(one.token());
            entries.add(done("items[" + i + "].", one));
        }
        several(http, queue, tokens, entries);
    }

    private static LongFunction<Done> done(String at, QueueForms.Ended form) {
        QueueForms.refuseNested(at, form.items());
        Payload result = form.result() == null ? null : QueueForms.carried(at + "result", form.result());
        LongFunction<Done> made = n -> new Done(n, form.token(), form.end(), result, form.error(), form.retry());
        QueueForms.named(at, () -> made.apply(0));
        return made;
    }

    private void extend(Context http) {
        String queue = queue(http);
        QueueForms.Extended form = QueueForms.read(http, QueueForms.Extended.class);
        if (!QueueForms.isSeveral(form.items(), form.token() != null)) {
            one(http, queue, form.token(), extend("", form));
            return;
        }
        List<String> tokens = new ArrayList<>();
        List<LongFunction<? extends QueueEntry>> entries = new ArrayList<>();
        for (int i = 0; i < form.items().size(); i++) {
            QueueForms.Extended one = form.items().get(i);
            tokens.add(one.token());
            entries.add(extend("items[" + i + "].", one));
        }
        several(http, queue, tokens, entries);
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
        var unused = made.apply(0);
        one(http, queue, form.token(), made);
    }

    private void one(Context http, String queue, String token, LongFunction<? extends QueueEntry> entry) {
        Sending.keepOutOfAudit(http);
        CompletableFuture<QueueAnswer> answer =
                isOf(queue, token) ? desk.ask(entry, 0) : CompletableFuture.completedFuture(foreign(queue));
        QueueReplies.replyDone(http, answer, done -> JsonHttp.write(http, 200, told(done)));
    }

    private void several(
            Context http, String queue, List<String> tokens, List<LongFunction<? extends QueueEntry>> entries) {
        Sending.keepOutOfAudit(http);
        List<LongFunction<? extends QueueEntry>> ours = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (isOf(queue, tokens.get(i))) {
                ours.add(entries.get(i));
            }
        }
        QueueReplies.reply(http, QueueReplies.all(desk.askAll(ours, 0)), answers -> {
            List<Told> outcomes = new ArrayList<>(tokens.size());
            int next = 0;
            for (String token : tokens) {
                outcomes.add(told(isOf(queue, token) ? answers.get(next++) : foreign(queue)));
            }
            JsonHttp.write(http, 200, Map.of("outcomes", outcomes));
        });
    }

    private static Told told(QueueAnswer answer) {
        return new Told(answer.status(), answer.reason(), answer.leaseS());
    }

    /** The scope is checked for the queue of the path, so the lease must be of that one. */
    private static QueueAnswer foreign(String queue) {
        return QueueAnswer.of(0, Status.STALE, "the token is of no lease of queue " + queue);
    }

    /** Whether a token says that it is of this queue; whether it is genuine only the queues know. */
    private static boolean isOf(String queue, String token) {
        int dot = token.indexOf('.');
        if (dot < 0) {
            return false;
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(token.substring(0, dot)), StandardCharsets.UTF_8);
            return text.startsWith(queue + '\0');
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
