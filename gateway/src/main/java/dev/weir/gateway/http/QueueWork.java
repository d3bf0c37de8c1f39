package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.WORKER;

import dev.weir.gateway.access.Scope;
import dev.weir.gateway.queues.LongWait;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.Check;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import dev.weir.protocol.NamePattern;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** Workers take items. */
final class QueueWork {

    private static final long MILLIS = 1_000;

    private final QueueDesk desk;
    private final LargeAnswers large;

    QueueWork(QueueDesk desk, LargeAnswers large) {
        this.desk = desk;
        this.large = large;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/queue/{queue}/pop", this::pop, WORKER, OPERATOR);
    }

    private void pop(Context http) {
        Params.allow(http);
        String queue = Params.uid(http, "queue", "queue");
        Guard.requireScope(http, Scope.Kind.QUEUE, queue);
        QueueForms.Pop form = QueueForms.read(http, QueueForms.Pop.class);
        List<String> kinds = kinds(http, form.kinds());
        double waitS = Check.within("wait_s", form.waitS() == null ? 0 : form.waitS(), 0, Limits.MAX_POP_WAIT_SECONDS);
        LongWait.Slice slice = (n, millis) -> new Pop(n, queue, kinds, form.most(), millis);
        // What is not valid is not asked for.
        slice.of(0, 0);
        Sending.keepOutOfAudit(http);
        QueueReplies.replyDone(
                http,
                LongWait.ask(desk, slice, Math.round(waitS * MILLIS), QueueWork::isEnough, () -> Client.isGone(http)),
                answer -> give(http, answer.items()));
    }

    private static boolean isEnough(QueueAnswer answer) {
        return answer.status() != Status.OK || !answer.items().isEmpty();
    }

    private void give(Context http, List<LeasedItem> items) {
        byte[] answer = Json.write(Map.of("items", items));
        if (!items.isEmpty()) {
            if (Client.isGone(http)) {
                desk.giveBack(items, true);
                return;
            }
            if (!large.hold(http, answer.length)) {
                desk.giveBack(items, true);
                throw LargeAnswers.tooMany(http);
            }
            Client.ifUnsent(http, () -> desk.giveBack(items, false));
        }
        http.status(200).contentType("application/json").result(answer);
    }

    /** Those that it asks for; without any, those of the token's scope. */
    private static List<String> kinds(Context http, List<String> asked) {
        List<String> ofToken = Guard.token(http).scope().kinds();
        boolean isForAll = asked == null || asked.isEmpty();
        if (!isForAll) {
            for (int i = 0; i < asked.size(); i++) {
                String field = "kinds[" + i + "]";
                Guard.requireScope(http, Scope.Kind.KIND, Check.required(field, asked.get(i)), field);
            }
            return asked;
        }
        if (ofToken != null && (ofToken.isEmpty() || ofToken.stream().anyMatch(NamePattern::isBeginning))) {
            throw new Problem(
                    403,
                    "Not in the token's scope",
                    "the scope of token '" + Guard.token(http).name()
                            + "' has beginnings of kinds, or none: name the kinds that you want",
                    "kinds",
                    null);
        }
        return ofToken == null ? List.of() : ofToken;
    }
}
