package dev.weir.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.chaos.judge.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What all traffic does with its queue: it makes it, and looks whether it is empty at the end. Safe for use from many threads. */
final class QueueClient {

    private static final int STARTS = 600;
    private static final long AGAIN_MILLIS = 200;

    private final Rest rest;
    private final String path;
    private final CountDownLatch never = new CountDownLatch(1);

    /** @param path of the queue */
    QueueClient(Rest rest, String path) {
        this.rest = rest;
        this.path = path;
    }

    /** Waits until Weir takes it, for at most two minutes. */
    void make(String settings) throws IOException, InterruptedException {
        put(path, settings);
    }

    /** Waits as {@link #make}. */
    void limit(String group, int inFlight) throws IOException, InterruptedException {
        put("/queue-limit", "{\"group\":\"" + group + "\",\"max_in_flight\":" + inFlight + "}");
    }

    private void put(String to, String body) throws IOException, InterruptedException {
        Rest.Answer answer = rest.put(to, body);
        for (int tries = 1; !answer.isOk(); tries++) {
            if (tries == STARTS) {
                throw new IOException("PUT " + to + " is answered with " + answer);
            }
            var unused = never.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            answer = rest.put(to, body);
        }
    }

    /** What is not over, although it must be. */
    List<Violation> left() throws IOException, InterruptedException {
        List<Violation> violations = new ArrayList<>();
        JsonNode left = rest.get(path).body();
        for (String state : List.of("waiting", "later", "leased")) {
            if (left.path(state).asInt(-1) != 0) {
                violations.add(new Violation("items left", null, null, path + ": " + left.path(state) + " " + state));
            }
        }
        return violations;
    }
}
