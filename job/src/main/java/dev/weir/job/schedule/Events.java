package dev.weir.job.schedule;

import dev.weir.job.wire.Inbound;
import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Report;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads the event that a message is. Intake has read it before, under the limits of the wire. */
final class Events {

    private Events() {}

    static Event of(Inbound message) {
        return switch (message.kind()) {
            case TASK -> new Event.TaskArrived(Json.readKept(message.body(), Task.class));
            case COMMAND -> new Event.CommandArrived(Json.readKept(message.body(), Command.class));
            case REPORT -> new Event.ReportArrived(Json.readKept(message.body(), Report.class));
            case PAGE -> {
                PageRequest request = Json.readKept(message.body(), PageRequest.class);
                yield new Event.PageArrived(
                        request.taskUid(), request.datasetUid(), request.offset(), request.limit(), page(message));
            }
            case PAGE_FAILED -> failed(message, true);
            case PAGE_UNAVAILABLE -> failed(message, false);
            case PAGE_REQUEST, ROWS, QUEUE_REQUEST, QUEUE_REQUEST_AGAIN ->
                throw new IllegalStateException(message.kind() + " never comes to the scheduler");
        };
    }

    private static Event failed(Inbound message, boolean permanent) {
        PageRequest request = Json.readKept(message.body(), PageRequest.class);
        return new Event.PageFailed(
                request.taskUid(),
                request.datasetUid(),
                request.offset(),
                request.limit(),
                permanent,
                new String(message.answer(), StandardCharsets.UTF_8));
    }

    /** An answer of DSM was read once already and is not bound by the size of a message. */
    private static DatasetPage page(Inbound message) {
        try {
            return Json.mapper().readValue(message.answer(), DatasetPage.class);
        } catch (IOException e) {
            throw new InvalidMessage("data", "the page that DSM gave cannot be read again: " + e.getMessage(), e);
        }
    }
}
