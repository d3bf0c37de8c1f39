package dev.weir.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.web.Problem;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** What a worker puts into queues when it ends a lease: pushed first, so that nothing is lost when one of them is not accepted. */
final class QueueFollowUps {

    private final QueueDesk desk;

    QueueFollowUps(QueueDesk desk) {
        this.desk = desk;
    }

    /** An item for a queue. */
    record FollowUp(String queue, Item item) {}

    /**
     * What a body has in {@code push}, if the token may push it.
     *
     * @param queue of those that name none
     */
    static List<FollowUp> read(Context http, String queue, List<JsonNode> push) {
        List<FollowUp> all = new ArrayList<>();
        if (push == null) {
            return all;
        }
        if (push.size() > QueueLimits.MAX_ITEMS) {
            throw new InvalidMessage(
                    "push", "push may have " + QueueLimits.MAX_ITEMS + " items, this one has " + push.size());
        }
        for (int i = 0; i < push.size(); i++) {
            String at = "push[" + i + "].";
            JsonNode given = push.get(i);
            if (!given.isObject()) {
                throw new InvalidMessage("push[" + i + "]", "push[" + i + "] must be an object");
            }
            String to = given.hasNonNull("queue")
                    ? Check.uid(at + "queue", given.get("queue").asText())
                    : queue;
            Guard.requireScope(http, Scope.Kind.QUEUE, to, at + "queue");
            ObjectNode pushed = given.deepCopy();
            pushed.remove("queue");
            QueueForms.Push form =
                    QueueForms.named(at, () -> Json.readStrict(Json.write(pushed), QueueForms.Push.class));
            all.add(new FollowUp(to, QueueFeeds.allowed(http, at, form.item(at))));
        }
        return all;
    }

    /** Completes when all are accepted; fails with a {@link Problem} when one is not. */
    CompletableFuture<Void> accepted(Context http, List<FollowUp> all) {
        List<LongFunction<Push>> entries = new ArrayList<>(all.size());
        all.forEach(one -> entries.add(n -> new Push(n, one.queue(), one.item())));
        return QueueReplies.all(desk.askAll(entries, 0)).thenAccept(answers -> {
            for (int i = 0; i < answers.size(); i++) {
                require(http, "push[" + i + "]", answers.get(i));
            }
        });
    }

    private static void require(Context http, String at, QueueAnswer answer) {
        try {
            QueueReplies.requireDone(http, answer);
        } catch (Problem e) {
            String field = answer.field() == null ? at : at + "." + answer.field();
            throw new Problem(
                    e.status(), "Not accepted", at + ": " + e.getMessage() + "; the lease goes on", field, null);
        }
    }
}
