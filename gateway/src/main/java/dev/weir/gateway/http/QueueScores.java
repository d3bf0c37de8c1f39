package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.RANKER;

import dev.weir.gateway.access.Scope;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Score;
import dev.weir.web.JsonHttp;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Takes facts about keys and owners, of which a ranker makes priorities. */
final class QueueScores {

    private final QueueDesk desk;

    QueueScores(QueueDesk desk) {
        this.desk = desk;
    }

    void addTo(RoutesConfig routes) {
        routes.put("/queue/{queue}/score", this::score, RANKER, OPERATOR);
    }

    /** What came of one. */
    private record Told(Status outcome, String field, String reason) {}

    private void score(Context http) {
        Params.allow(http);
        String queue = Params.uid(http, "queue", "queue");
        Guard.requireScope(http, Scope.Kind.QUEUE, queue);
        Guard.requireNoKinds(http, "facts count whatever the kind of an item");
        QueueForms.Scored form = QueueForms.read(http, QueueForms.Scored.class);
        if (!form.isSeveral()) {
            LongFunction<Score> made = made(queue, "", form);
            Sending.keepOutOfAudit(http);
            QueueReplies.replyDone(http, desk.ask(made, 0), answer -> JsonHttp.write(http, 200, told(answer)));
            return;
        }
        List<LongFunction<Score>> entries = new ArrayList<>(form.items().size());
        for (int i = 0; i < form.items().size(); i++) {
            entries.add(made(queue, "items[" + i + "].", form.items().get(i)));
        }
        Sending.keepOutOfAudit(http);
        QueueReplies.reply(http, QueueReplies.all(desk.askAll(entries, 0)), answers -> {
            List<Told> outcomes = answers.stream().map(QueueScores::told).toList();
            JsonHttp.write(http, 200, Map.of("outcomes", outcomes));
        });
    }

    private static LongFunction<Score> made(String queue, String at, QueueForms.Scored form) {
        QueueForms.refuseNested(at, form.items());
        LongFunction<Score> made = n -> new Score(n, queue, form.key(), form.owner(), form.facts());
        QueueForms.named(at, () -> made.apply(0));
        return made;
    }

    private static Told told(QueueAnswer answer) {
        return new Told(answer.status(), answer.field(), answer.reason());
    }
}
