package dev.weir.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** JSON in and out of requests, and a problem document for whatever a handler throws. */
public final class JsonHttp {

    public static final String PROBLEM_TYPE = "application/problem+json";

    private static final Logger LOG = LoggerFactory.getLogger(JsonHttp.class);
    private static final int MIN_THREADS = 4;

    private JsonHttp() {}

    /**
     * Sets up a server. Handlers for exceptions of its own can be added afterwards.
     *
     * @param program its name in messages, such as DSM
     * @param maxThreads requests beyond wait for one
     * @param maxRequestBytes of a body; a larger one is answered with 413
     */
    public static void configure(JavalinConfig config, String program, int maxThreads, long maxRequestBytes) {
        config.startup.showJavalinBanner = false;
        config.jetty.threadPool = new QueuedThreadPool(maxThreads, MIN_THREADS);
        config.http.maxRequestSize = maxRequestBytes;
        config.routes.exception(Problem.class, (problem, http) -> problem(http, problem));
        config.routes.exception(InvalidMessage.class, (e, http) -> problem(http, Problem.of(e)));
        config.routes.exception(
                HttpResponseException.class,
                (e, http) -> problem(http, new Problem(e.getStatus(), "Request refused", e.getMessage())));
        config.routes.exception(
                UncheckedIOException.class,
                (e, http) -> LOG.info(
                        "The client of {} {} disconnected before the end of the answer: {}",
                        http.method(),
                        http.path(),
                        e.getMessage()));
        config.routes.exception(Exception.class, (e, http) -> {
            LOG.error("{} {} failed", http.method(), http.path(), e);
            problem(http, new Problem(500, "Failure", program + " failed on this request; its log says why"));
        });
        config.routes.error(404, http -> {
            if (!http.res().isCommitted() && !PROBLEM_TYPE.equals(http.res().getContentType())) {
                problem(http, new Problem(404, "No such page", "there is nothing at " + http.path()));
            }
        });
    }

    /** Whether the body claims to be JSON. */
    private static boolean isJson(Context http) {
        String type = http.contentType();
        return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
    }

    /** Refuses a body that does not claim to be JSON: a browser lets any page send other types without asking. */
    public static void requireJson(Context http) {
        if (!isJson(http)) {
            throw new Problem(415, "Not JSON", "send JSON with the header Content-Type: application/json");
        }
    }

    /** Reads the body; throws {@link Problem} when it is not such an object. */
    public static <T> T read(Context http, Class<T> type) {
        try {
            T form = Json.mapper().readValue(http.bodyAsBytes(), type);
            if (form == null) {
                throw new Problem(400, "Bad request", "the body is null; it must be a JSON object");
            }
            return form;
        } catch (JsonProcessingException e) {
            throw new Problem(400, "Bad request", e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Health(String status, String detail) {}

    /** Answers a question for the program's health: 200, or 503 with what is wrong. */
    public static void health(Context http, Optional<String> trouble) {
        write(http, trouble.isEmpty() ? 200 : 503, new Health(trouble.isEmpty() ? "up" : "down", trouble.orElse(null)));
    }

    public static void write(Context http, int status, Object body) {
        http.status(status).contentType("application/json").result(Json.write(body));
    }

    /** After the first bytes have been sent, no error can be reported any more. */
    public static void problem(Context http, Problem problem) {
        if (!http.res().isCommitted()) {
            if (problem.retrySeconds() > 0) {
                http.header("Retry-After", Integer.toString(problem.retrySeconds()));
            }
            http.status(problem.status()).contentType(PROBLEM_TYPE).result(Json.write(problem.document()));
        }
    }
}
