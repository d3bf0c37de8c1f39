package dev.weir.chaos.load;

import dev.weir.chaos.judge.SeenAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks for answers of a few keys, one after the other, and keeps what it got. One thread. */
final class Asker {

    private static final int KEYS = 20;
    private static final Duration YOUNG = Duration.ofSeconds(3);
    private static final long PAUSE_MILLIS = 100;

    private final Rest rest;
    private final String path;
    private final Duration fresh;
    private final Collection<SeenAnswer> seen;
    private final CountDownLatch stop;
    private final Random random;

    /**
     * @param fresh how old an answer may be at most; half of all questions want a younger one
     * @param seen is given each answer
     */
    Asker(Rest rest, String path, Duration fresh, Collection<SeenAnswer> seen, CountDownLatch stop, long seed) {
        this.rest = rest;
        this.path = path;
        this.fresh = fresh;
        this.seen = seen;
        this.stop = stop;
        this.random = new Random(seed);
    }

    /** Until it is stopped. */
    void ask() throws InterruptedException {
        while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
            String key = "host-" + random.nextInt(KEYS);
            Duration age = random.nextBoolean() ? YOUNG : fresh;
            String body =
                    "{\"key\":\"%s\",\"payload\":{},\"wait_s\":5,\"max_age_s\":%d}".formatted(key, age.toSeconds());
            long askedAt = System.nanoTime();
            try {
                Rest.Answer answer = rest.post(path, body);
                if (answer.isOk()) {
                    seen.add(new SeenAnswer(
                            key,
                            askedAt,
                            answer.body().path("result").path("at").asLong(),
                            age.toNanos()));
                }
            } catch (IOException e) {
                // The gateway is away, or Weir behind it: another key next time.
            }
        }
    }
}
