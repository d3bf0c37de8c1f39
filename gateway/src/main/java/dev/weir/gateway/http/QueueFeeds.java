package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.FEEDER;
import static dev.weir.gateway.access.Role.OPERATOR;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Puts items into queues. */
final class QueueFeeds {

    /** Priority 1 goes before all owners. */
    private static final int BEST_OF_FEEDERS = 2;

    private final QueueDesk desk;
    private final LargeAnswers large;

    QueueFeeds(QueueDesk desk, LargeAnswers large) {
        this.desk = desk;
        this.large = large;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/queue/{queue}/items", this::push, FEEDER, OPERATOR);
    }

    /** What came of one. */
    private record Pushed(String key, Status outcome, String field, String reason) {}

    private void push(Context http) {
        Params.allow(http);
        String queue = Params.uid(http, "queue", "queue");
        Guard.requireScope(http, Scope.Kind.QUEUE, queue);
        QueueForms.Push form = QueueForms.read(http, QueueForms.Push.class);
        if (!form.isSeveral()) {
            one(http, queue, allowed(http, "", form.item("")));
            return;
        }
        List<Item> items = new ArrayList<>(form.items().size());
        for (int i = 0; i < form.items().size(); i++) {
            String at = "items[" + i + "].";
            items.add(allowed(http, at, form.items().get(i).item(at)));
        }
        several(http, queue, items);
    }

    /** The item, if the token may push it. */
    static Item allowed(Context http, String at, Item item) {
        Token token = Guard.token(http);
        Guard.requireScope(http, Scope.Kind.KIND, item.kind(), at + "kind");
        for (int i = 0; i < item.groups().size(); i++) {
            Guard.requireScope(http, Scope.Kind.GROUP, item.groups().get(i), at + "groups[" + i + "]");
        }
        Integer given = token.scope().bestPriority();
        int best = given != null ? given : token.role() == Role.OPERATOR ? 1 : BEST_OF_FEEDERS;
        if (item.priority() < best) {
            throw new Problem(
                    403,
                    "Not in the token's scope",
                    "the best priority in the scope of token '" + token.name() + "' is " + best + ", got "
                            + item.priority(),
                    at + "priority",
                    null);
        }
        return item;
    }

    private void one(Context http, String queue, Item item) {
        Sending.keepOutOfAudit(http);
        QueueReplies.replyDone(
                http,
                desk.ask(n -> new Push(n, queue, item), 0),
                answer -> JsonHttp.write(http, answer.status() == Status.CREATED ? 201 : 200, told(item, answer)));
    }

    private void several(Context http, String queue, List<Item> items) {
        List<LongFunction<Push>> entries = new ArrayList<>(items.size());
        items.forEach(item -> entries.add(n -> new Push(n, queue, item)));
        Sending.keepOutOfAudit(http);
        QueueReplies.reply(http, QueueReplies.all(desk.askAll(entries, 0)), answers -> {
            if (answers.stream().allMatch(answer -> answer.status() == Status.UNKNOWN)) {
                QueueReplies.requireDone(http, answers.get(0));
            }
            List<Pushed> outcomes = new ArrayList<>(answers.size());
            for (int i = 0; i < answers.size(); i++) {
                outcomes.add(told(items.get(i), answers.get(i)));
            }
            byte[] answer = Json.write(Map.of("outcomes", outcomes));
            if (!large.hold(http, answer.length)) {
                throw LargeAnswers.tooMany(http);
            }
            http.status(200).contentType("application/json").result(answer);
        });
    }

    private static Pushed told(Item item, QueueAnswer answer) {
        return new Pushed(item.key(), answer.status(), answer.field(), answer.reason());
    }
}
