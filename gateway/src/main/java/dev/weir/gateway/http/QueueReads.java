package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.FEEDER;
import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.RANKER;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;
import static dev.weir.gateway.access.Role.WORKER;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.broker.LowQueues;
import dev.weir.gateway.queues.LongWait;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.protocol.NamePattern;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.ListGroups;
import dev.weir.protocol.queue.QueueEntry.ListOwners;
import dev.weir.protocol.queue.QueueEntry.Overview;
import dev.weir.protocol.queue.QueueEntry.Peek;
import dev.weir.protocol.queue.QueueEntry.Show;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.protocol.queue.QueueLow;
import dev.weir.protocol.queue.QueueView;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** What there is in the queues. They are asked: nothing of it is in the mirror. */
final class QueueReads {

    /** Their tokens are for the queues of their scope, also when they read. */
    private static final Set<Role> SCOPED = Set.of(WORKER, FEEDER, RANKER);

    private static final Set<ShownItem.State> OVER =
            Set.of(ShownItem.State.DEAD, ShownItem.State.RESTING, ShownItem.State.FINISHED, ShownItem.State.REMOVED);
    private static final int PEEKED = 10;
    private static final Map<String, ShownItem.State> PEEKED_STATES = new TreeMap<>(Map.of(
            "waiting", ShownItem.State.WAITING,
            "later", ShownItem.State.LATER,
            "leased", ShownItem.State.LEASED,
            "dead", ShownItem.State.DEAD,
            "resting", ShownItem.State.RESTING));

    private final QueueDesk desk;
    private final LowQueues low;

    QueueReads(QueueDesk desk, LowQueues low) {
        this.desk = desk;
        this.low = low;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/queue", this::list, VIEWER, WFMS, WORKER, FEEDER, RANKER, OPERATOR);
        routes.get("/queue/{queue}", this::queue, VIEWER, WFMS, WORKER, FEEDER, RANKER, OPERATOR);
        routes.get("/queue/{queue}/peek", this::peek, VIEWER, WFMS, FEEDER, OPERATOR);
        routes.get("/queue/{queue}/owner", this::owners, VIEWER, WFMS, OPERATOR);
        routes.get("/queue-limit", this::groups, VIEWER, WFMS, OPERATOR);
        routes.get("/queue/{queue}/item", this::item, VIEWER, WFMS, FEEDER, OPERATOR);
    }

    static boolean sees(Context http, Scope.Kind kind, String name) {
        return !SCOPED.contains(Guard.token(http).role())
                || Guard.token(http).scope().contains(kind, name);
    }

    /** Whether the token is that of a worker who sees nothing of other workers' kinds. */
    private static boolean isOfSomeKinds(Context http) {
        return Guard.token(http).role() == WORKER && Guard.token(http).scope().kinds() != null;
    }

    /** The queue of the path, which the token may look at. */
    static String seen(Context http) {
        String queue = Params.uid(http, "queue", "queue");
        if (!sees(http, Scope.Kind.QUEUE, queue)) {
            Guard.requireScope(http, Scope.Kind.QUEUE, queue);
        }
        return queue;
    }

    private void list(Context http) {
        Params.allow(http);
        QueueReplies.replyDone(http, desk.ask(n -> new Overview(n, null), 0), answer -> {
            List<QueueView> data = answer.queues().stream()
                    .filter(view -> sees(http, Scope.Kind.QUEUE, view.queue()) && !isOfSomeKinds(http))
                    .toList();
            Tagged.write(http, Map.of("data", data));
        });
    }

    private void queue(Context http) {
        Params.allow(http, "wait_s");
        String queue = seen(http);
        if (isOfSomeKinds(http)) {
            throw new Problem(
                    403,
                    "Not in the token's scope",
                    "the counts of a queue are of all kinds, so a worker's token with kinds in its scope may not read them");
        }
        QueueReplies.replyDone(
                http,
                whenLow(queue, Params.waitMillis(http, "wait_s")),
                answer -> Tagged.write(http, answer.queues().get(0)));
    }

    /** The queue as soon as it is low, or the time is over. */
    private CompletableFuture<QueueAnswer> whenLow(String queue, long waitMillis) {
        // Before the look: it may be announced while that is under way.
        CompletableFuture<QueueLow> announced = waitMillis == 0 ? null : low.next(queue, waitMillis);
        CompletableFuture<QueueAnswer> look = desk.ask(n -> new Overview(n, queue), 0);
        return announced == null
                ? look
                : look.thenCompose(answer -> isNoneOrLow(answer)
                                ? CompletableFuture.completedFuture(answer)
                                : announced.thenCompose(over -> desk.ask(n -> new Overview(n, queue), 0)))
                        .whenComplete((answer, failure) -> announced.complete(null));
    }

    private static boolean isNoneOrLow(QueueAnswer answer) {
        if (answer.status() != Status.OK) {
            return true;
        }
        QueueView view = answer.queues().get(0);
        Integer mark = view.settings().low();
        return mark != null && view.waiting() + view.later() < mark;
    }

    private void owners(Context http) {
        Params.allow(http);
        String queue = seen(http);
        QueueReplies.replyDone(
                http,
                desk.ask(n -> new ListOwners(n, queue), 0),
                answer -> Tagged.write(http, Map.of("data", answer.owners(), "total", answer.count())));
    }

    private void groups(Context http) {
        Params.allow(http);
        QueueReplies.replyDone(
                http,
                desk.ask(ListGroups::new, 0),
                answer -> Tagged.write(http, Map.of("data", answer.groups(), "total", answer.count())));
    }

    private void peek(Context http) {
        Params.allow(http, "n", "state", "owner");
        String queue = seen(http);
        int most = Params.whole(http, "n", PEEKED, QueueLimits.MAX_ITEMS);
        ShownItem.State state = state(http);
        String owner = Params.uidOrNull(http, "owner");
        List<String> kinds = kinds(http);
        QueueReplies.replyDone(http, desk.ask(n -> new Peek(n, queue, most, state, owner, kinds), 0), answer -> {
            // Queues of an older version do not know of kinds here.
            List<ShownItem> data = answer.shown().stream()
                    .filter(item -> sees(http, Scope.Kind.KIND, item.kind()))
                    .toList();
            Tagged.write(http, Map.of("data", data));
        });
    }

    /** The kinds that the token may see, so that others take no place in the answer; null for all, and for more than can be asked for at once. */
    private static List<String> kinds(Context http) {
        Token token = Guard.token(http);
        if (!SCOPED.contains(token.role()) || token.scope().kinds() == null) {
            return null;
        }
        List<String> kinds =
                token.scope().kinds().stream().filter(NamePattern::isPossible).toList();
        return kinds.size() > QueueLimits.MAX_KINDS ? null : kinds;
    }

    /** Null when none is asked for. */
    private static ShownItem.State state(Context http) {
        String word = Params.choiceOrNull(http, "state", List.copyOf(PEEKED_STATES.keySet()));
        return word == null ? null : PEEKED_STATES.get(word);
    }

    private void item(Context http) {
        Params.allow(http, "key", "wait_s");
        String queue = seen(http);
        String key = Params.itemKey(http);
        long waitMillis = Params.waitMillis(http, "wait_s");
        QueueReplies.replyDone(
                http,
                LongWait.ask(
                        desk,
                        (n, millis) -> new Show(n, queue, key, millis),
                        waitMillis,
                        QueueReads::isOver,
                        () -> Client.isGone(http)),
                answer -> {
                    ShownItem item = answer.shown().get(0);
                    if (!sees(http, Scope.Kind.KIND, item.kind())) {
                        Guard.requireScope(http, Scope.Kind.KIND, item.kind());
                    }
                    Tagged.write(http, item);
                });
    }

    private static boolean isOver(QueueAnswer answer) {
        return answer.status() != Status.OK
                || OVER.contains(answer.shown().get(0).state());
    }
}
