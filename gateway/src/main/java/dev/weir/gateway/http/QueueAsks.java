package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.FEEDER;
import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.queues.AnswerDesk;
import dev.weir.gateway.queues.Question;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LastAnswer;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.concurrent.TimeUnit;

/** Gives the last results of keys. Who asks with POST has one made if there is none. */
final class QueueAsks {

    /** Of a key that is being worked on. */
    private static final String RETRY_PENDING_SECONDS = "2";

    private static final String ANY_KIND = "an answer is shown whatever the kind of its item";

    private final AnswerDesk desk;
    private final LargeAnswers large;

    QueueAsks(AnswerDesk desk, LargeAnswers large) {
        this.desk = desk;
        this.large = large;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/answer/{queue}", this::ask, FEEDER, OPERATOR);
        routes.get("/answer/{queue}", this::look, VIEWER, WFMS, FEEDER, OPERATOR);
    }

    /** What came of it; of a pending one there is only the outcome. */
    private record Told(String key, Status outcome, Payload result, Long ageMs, Long freshMs, Long staleMs) {}

    private void ask(Context http) {
        Params.allow(http);
        String queue = Params.uid(http, "queue", "queue");
        Guard.requireScope(http, Scope.Kind.QUEUE, queue);
        QueueForms.Push form = QueueForms.read(http, QueueForms.Push.class);
        if (form.items() != null && !form.items().isEmpty()) {
            throw new InvalidMessage("items", "one request asks for the answer of one key, without items");
        }
        Guard.requireNoKinds(http, ANY_KIND);
        Item item = QueueFeeds.allowed(http, "", form.asked(""));
        Long maxAge = millisOrNull("max_age_s", form.maxAgeS(), Again.YEAR);
        Long stale = millisOrNull("stale_s", form.staleS(), Again.YEAR);
        Long wait = millisOrNull("wait_s", form.waitS(), Limits.MAX_POP_WAIT_SECONDS);
        Sending.keepOutOfAudit(http);
        answer(http, new Question(queue, item, true, maxAge, stale), wait == null ? 0 : wait);
    }

    private void look(Context http) {
        Params.allow(http, "key", "max_age_s", "stale_s", "wait_s");
        String queue = QueueReads.seen(http);
        // What others see they see of all kinds.
        if (Guard.token(http).role() == Role.FEEDER) {
            Guard.requireNoKinds(http, ANY_KIND);
        }
        Item item = new Item(Params.itemKey(http), null, null, null, null, null, null, null, null, null, null);
        Long maxAge = Params.millisOrNull(http, "max_age_s", Again.YEAR);
        Long stale = Params.millisOrNull(http, "stale_s", Again.YEAR);
        answer(http, new Question(queue, item, false, maxAge, stale), Params.waitMillis(http, "wait_s"));
    }

    private static Long millisOrNull(String field, Double seconds, int most) {
        return seconds == null ? null : Math.round(Check.within(field, seconds, 0, most) * 1000);
    }

    private void answer(Context http, Question question, long waitMillis) {
        String key = question.item().key();
        QueueReplies.replyDone(
                http,
                desk.ask(Guard.token(http).sha256(), question, waitMillis, () -> Client.isGone(http)),
                answer -> tell(http, key, answer));
    }

    private void tell(Context http, String key, QueueAnswer answer) {
        switch (answer.status()) {
            case FRESH, OLD -> give(http, key, answer);
            case FAILED -> throw new Problem(502, "Lookup failed", answer.reason());
            default -> {
                http.header("Retry-After", RETRY_PENDING_SECONDS);
                JsonHttp.write(http, 202, new Told(key, Status.PENDING, null, null, null, null));
            }
        }
    }

    private void give(Context http, String key, QueueAnswer answer) {
        LastAnswer last = answer.answer();
        byte[] body =
                Json.write(new Told(key, answer.status(), last.result(), last.ageMs(), last.freshMs(), last.staleMs()));
        if (http.method() != HandlerType.GET && !large.hold(http, body.length)) {
            throw LargeAnswers.tooMany(http);
        }
        long age = TimeUnit.MILLISECONDS.toSeconds(last.ageMs());
        http.header("Age", Long.toString(age));
        // Caches take the age off it.
        http.header(
                "Cache-Control",
                "private, max-age="
                        + (last.freshMs() == 0 ? 0 : age + TimeUnit.MILLISECONDS.toSeconds(last.freshMs())));
        http.status(200).contentType("application/json").result(body);
    }
}
