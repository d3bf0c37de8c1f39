package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;

import dev.weir.gateway.logs.LogRefused;
import dev.weir.gateway.logs.LogRoots;
import dev.weir.gateway.logs.LogTail;
import dev.weir.gateway.mirror.Mirror;
import dev.weir.protocol.Urls;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a job's log. */
final class Logs {

    private static final Logger LOG = LoggerFactory.getLogger(Logs.class);

    /** A storage that does not answer holds no more threads than these, and so many more for five seconds. */
    private static final int PLACES = 8;

    private static final int MOST_WAITING = 16;

    private static final int RETRY_SECONDS = 5;

    private final Mirror mirror;
    private final LogRoots roots;
    private final Readers readers = new Readers(
            PLACES, MOST_WAITING, "Storage slow", "more logs are asked for than the storage gives; ask again");

    Logs(Mirror mirror, LogRoots roots) {
        this.mirror = mirror;
        this.roots = roots;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/job/{id}/log", readers.one(this::log), VIEWER, WFMS, OPERATOR);
    }

    private void log(Context http) {
        Params.allow(http, "attempt");
        String uid = Params.uid(http, "id", "job");
        Integer attempt = Params.attemptOrNull(http);
        Map<String, Object> job = mirror.job(uid).orElseThrow(() -> Params.unknown("job", uid));
        String url = attempt == null
                ? (String) job.get("file_log_url")
                : mirror.logOf((String) job.get("task_uid"), uid, attempt);
        if (url == null) {
            throw none(uid, attempt);
        }
        LogTail tail = read(url);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("job_uid", uid);
        if (attempt != null) {
            answer.put("attempt", attempt);
        }
        answer.put("file_log_url", Urls.withoutSecrets(url));
        answer.put("size", tail.size());
        answer.put("from", tail.from());
        answer.put("text", tail.text());
        Tagged.write(http, answer);
    }

    private static Problem none(String uid, Integer attempt) {
        return new Problem(
                404,
                "No log",
                attempt == null
                        ? "job '" + uid + "' has no log: none of its attempts has ended with one"
                        : "no log of attempt " + attempt + " of job '" + uid
                                + "' is known. The log of an attempt that failed is known as soon as it ends, that of one that finished with its job");
    }

    private LogTail read(String url) {
        try {
            return roots.read(url);
        } catch (LogRefused e) {
            throw new Problem(404, "Log not shown", e.getMessage());
        } catch (NoSuchFileException e) {
            throw new Problem(
                    404,
                    "Log not there",
                    "there is no file at " + Urls.withoutSecrets(url)
                            + ": it was removed, or this gateway does not see the storage of the pilot");
        } catch (IOException e) {
            String reason = Urls.withoutSecrets(String.valueOf(e.getMessage()));
            LOG.warn("The log at {} cannot be read now: {}", Urls.withoutSecrets(url), reason);
            throw new Problem(
                            503,
                            "Log not shown",
                            "the log at " + Urls.withoutSecrets(url) + " cannot be read now: " + reason
                                    + ". Ask again, or fetch it from there")
                    .after(RETRY_SECONDS);
        }
    }
}
