package dev.weir.pilot.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Outbox.Entry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands reports to the gateway, as many at once as wait, in a thread of its own. What did not arrive is sent again, in order. */
final class ReportPoster implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReportPoster.class);

    private static final Duration STEP = Duration.ofMillis(200);
    /** Until a report is tried again that the token may not send: one that another pilot left in the outbox, say. */
    private static final Duration HOLD_BACK = Duration.ofMinutes(1);

    private static final long JOIN_MILLIS = 5000;
    private static final int MOST = 100;
    /** The gateway takes a megabyte; a report is at most a twentieth of that. */
    private static final int MOST_BYTES = 512 << 10;

    private final Outbox outbox;
    private final GatewayCalls calls;
    private final Reach reach;
    private final Pause pause;
    private final Consumer<JsonNode> answers;
    private final Thread thread;

    /** How many reports go alone, because one of them is refused for good. Of the thread. */
    private int oneByOne;

    private volatile boolean closed;

    /** @param answers takes each answer, which may hold notices */
    ReportPoster(Outbox outbox, GatewayCalls calls, Reach reach, GatewaySettings settings, Consumer<JsonNode> answers) {
        this.outbox = outbox;
        this.calls = calls;
        this.reach = reach;
        this.pause = new Pause(settings);
        this.answers = answers;
        this.thread = new Thread(this::postAll, "pilot-outbox");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void postAll() {
        try {
            while (!closed) {
                List<Entry> due = outbox.next(oneByOne > 0 ? 1 : MOST, MOST_BYTES, STEP);
                if (!due.isEmpty()) {
                    oneByOne = Math.max(0, oneByOne - 1);
                    post(due);
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private void post(List<Entry> due) throws InterruptedException {
        try {
            JsonNode answer = calls.report(due).get();
            reach.answered();
            pause.reset();
            outbox.confirmed(due);
            answers.accept(answer);
        } catch (ExecutionException e) {
            failed(due, Reach.cause(e));
        }
    }

    private void failed(List<Entry> due, Throwable cause) throws InterruptedException {
        boolean isForGood = cause instanceof RefusedRequest refused && refused.isForGood();
        boolean isForbidden = cause instanceof RefusedRequest refused && refused.isForbidden();
        if (due.size() > 1 && (isForGood || isForbidden)) {
            oneByOne = due.size();
            outbox.lost();
        } else if (isForGood) {
            outbox.refused(due.get(0), cause.getMessage());
        } else if (isForbidden) {
            LOG.warn("A report waits, because the token may not send it: {}", cause.getMessage());
            outbox.holdBack(due.get(0), HOLD_BACK);
        } else {
            reach.failed(cause);
            outbox.lost();
            pause.rest(() -> closed);
        }
    }
}
