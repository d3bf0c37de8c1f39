package dev.weir.gateway.queues;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.protocol.queue.LastAnswer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Fresh answers, each kept for a second at most and never beyond its end: what is asked for often does not go to the queues each time.
 * Safe for use from many threads.
 */
public final class FreshAnswers {

    /** So long may another gateway give an answer after its key was removed or has a newer one. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long MOST_BYTES = 32L << 20;

    /** What an entry counts at least: so their number has a maximum too, 32,768. */
    private static final int LEAST_BYTES = 1 << 10;

    private static final int PARTS = 10;
    private static final int OTHER_BYTES = 256;
    private static final int BYTES_OF_CHARACTER = 2;

    private final Ticker ticker;
    private final Cache<Place, Kept> answers;

    /** Where an answer belongs. */
    private record Place(String queue, String key) {}

    private record Kept(LastAnswer answer, long sinceNanos) {

        /** As it is now; it is older, and fresh for less. */
        LastAnswer at(long nanos) {
            long passed = TimeUnit.NANOSECONDS.toMillis(nanos - sinceNanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
            return new LastAnswer(
                    answer.result(), answer.ageMs() + passed, Math.max(0, answer.freshMs() - passed), answer.staleMs());
        }
    }

    public FreshAnswers(Ticker ticker) {
        this.ticker = ticker;
        answers = Caffeine.newBuilder()
                .ticker(ticker)
                .executor(Runnable::run)
                .maximumWeight(MOST_BYTES)
                .weigher(FreshAnswers::bytes)
                .expireAfter(Expiry.<Place, Kept>creating((place, kept) -> Duration.ofNanos(Math.max(0, life(kept)))))
                .build();
    }

    private static int bytes(Place place, Kept kept) {
        int characters = place.key.length() + kept.answer.result().json().length();
        return Math.max(LEAST_BYTES, OTHER_BYTES + BYTES_OF_CHARACTER * characters);
    }

    /** How much longer it is kept, in nanoseconds. The first question in the last tenth of its freshness goes to the queues, which may have it looked up anew. */
    private long life(Kept kept) {
        long freshMs = kept.answer.freshMs();
        long tenthMs = (kept.answer.ageMs() + freshMs) / PARTS;
        long mostMs = freshMs > tenthMs ? freshMs - tenthMs : freshMs;
        long whole = Math.min(LONGEST_NANOS, TimeUnit.MILLISECONDS.toNanos(mostMs));
        return whole - (ticker.read() - kept.sinceNanos);
    }

    /**
     * Keeps an answer.
     *
     * @param askedNanos when it was asked for, by the ticker: it may be as old as that, because it may have been long on its way
     */
    void keep(String queue, String key, LastAnswer answer, long askedNanos) {
        Kept kept = new Kept(answer, askedNanos);
        if (life(kept) > 0) {
            answers.put(new Place(queue, key), kept);
        }
    }

    /** The answer as it is now; null if none is kept that is fresh. */
    LastAnswer find(String queue, String key) {
        Kept kept = answers.getIfPresent(new Place(queue, key));
        if (kept == null) {
            return null;
        }
        LastAnswer answer = kept.at(ticker.read());
        return answer.freshMs() > 0 ? answer : null;
    }

    /** To be called when its key was removed or may have a newer answer. */
    public void drop(String queue, String key) {
        answers.invalidate(new Place(queue, key));
    }

    /** To be called when the queue was removed. */
    public void drop(String queue) {
        answers.asMap().keySet().removeIf(place -> place.queue.equals(queue));
    }
}
