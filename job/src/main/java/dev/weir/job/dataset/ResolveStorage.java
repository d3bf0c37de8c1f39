package dev.weir.job.dataset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.connectors.dsm.DsmReader;
import dev.weir.job.wire.Inbound;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.NewTask;
import dev.weir.protocol.Task;
import dev.weir.protocol.Urls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks DSM for the URL of the output storage of tasks with a {@code dat_stor_id}. Other tasks pass at once. When DSM does not know
 * the id, gives a URL that no task may have, or is unavailable, the task continues with its required {@code dat_stor_url}, which is then also the storage's id: an
 * unavailable DSM delays no task.
 */
public final class ResolveStorage extends AsksDsm {

    private static final Logger LOG = LoggerFactory.getLogger(ResolveStorage.class);

    public ResolveStorage(DsmAccess access) {
        super(access);
    }

    @Override
    CompletableFuture<Inbound> ask(DsmReader dsm, Inbound message) {
        Task task = Json.read(message.body(), Task.class);
        if (task.datStorId() == null) {
            return CompletableFuture.completedFuture(message);
        }
        return dsm.storageUrl(task.datStorId())
                .handle((url, failure) -> failure == null
                        ? resolved(message, url)
                        : unanswered(message, DsmAccess.cause(failure).getMessage()));
    }

    /** The task was checked with its own URL, so what DSM gives for it is checked here: the scheduler only reads it. */
    private Inbound resolved(Inbound message, String url) {
        byte[] body = withStorageUrl(message.body(), url);
        try {
            NewTask.check(Json.readKept(body, Task.class));
        } catch (InvalidMessage e) {
            return unanswered(
                    message, "no task may have the URL that DSM gave: " + Urls.withoutSecrets(e.getMessage()));
        }
        return message.withBody(body);
    }

    @Override
    Inbound unanswered(Inbound message, String why) {
        Task task = Json.read(message.body(), Task.class);
        if (task.datStorId() == null) {
            return message;
        }
        LOG.warn(
                "Task {} writes to its dat_stor_url {}, because its dat_stor_id {} was not resolved: {}",
                task.uid(),
                Urls.withoutSecrets(task.datStorUrl()),
                Urls.withoutSecrets(task.datStorId()),
                why);
        return message.withBody(withoutStorageId(message.body()));
    }

    private static byte[] withStorageUrl(byte[] body, String url) {
        return Json.write(tree(body).put("dat_stor_url", url));
    }

    private static byte[] withoutStorageId(byte[] body) {
        return Json.write(tree(body).without("dat_stor_id"));
    }

    private static ObjectNode tree(byte[] body) {
        try {
            return (ObjectNode) Json.mapper().readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException("a task that was read before cannot be read again", e);
        }
    }
}
