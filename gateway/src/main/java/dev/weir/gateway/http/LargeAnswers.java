package dev.weir.gateway.http;

import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.ByteArrayInputStream;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/**
 * Bounds the answers that are held until their clients have read them: a client that asks for much and does not read holds the answer and a thread until
 * its connection has been idle for too long. When there are too many, large answers become 503; small ones, which the system's buffers take, go on. Safe
 * for use from many threads.
 */
final class LargeAnswers {

    private static final int SMALL_BYTES = 64 << 10;
    private static final int MOST_KIB = 32 << 10;

    /** So that their number, too, has a maximum: 128, fewer than the threads of one address. */
    private static final int LEAST_KIB = 256;

    private final Semaphore kib = new Semaphore(MOST_KIB);

    /** After the handler, before the answer is sent. */
    void bound(Context http) {
        // Pages for everybody are not bounded: strangers could take the places of all. A job that was taken must reach
        // its pilot.
        if (Guard.token(http) == null || http.method() != HandlerType.GET) {
            return;
        }
        if (!(http.resultInputStream() instanceof ByteArrayInputStream answer) || answer.available() <= SMALL_BYTES) {
            return;
        }
        if (!hold(http, answer.available())) {
            JsonHttp.problem(http, tooMany(http));
        }
    }

    /** Counts an answer until its client has read it. False when there are too many: then it must not be sent. */
    boolean hold(Context http, int bytes) {
        if (bytes <= SMALL_BYTES) {
            return true;
        }
        int size = Math.min(MOST_KIB, Math.max(LEAST_KIB, bytes >> 10));
        if (!kib.tryAcquire(size)) {
            return false;
        }
        Request.addCompletionListener(
                ServletContextRequest.getServletContextRequest(http.req()), failure -> kib.release(size));
        return true;
    }

    /** What is said of an answer that must not be sent. */
    static Problem tooMany(Context http) {
        http.header("Retry-After", "5");
        return new Problem(
                503,
                "Too many large answers",
                "clients have not read large answers of " + MOST_KIB
                        + " KiB together; ask again, or for a shorter page");
    }
}
