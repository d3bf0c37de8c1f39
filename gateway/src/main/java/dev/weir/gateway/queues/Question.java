package dev.weir.gateway.queues;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueEntry.Answer;

/**
 * What is asked of a key.
 *
 * @param item what to push if there is no answer
 * @param start false: nothing is pushed
 * @param maxAgeMs no answer that is older, in milliseconds; null for any that is fresh
 * @param staleMs for how many milliseconds after its end an answer may be given if no other comes; null for as long as it is kept
 */
public record Question(String queue, Item item, boolean start, Long maxAgeMs, Long staleMs) {

    /** As it is asked of the queues. */
    Answer entry(long n, int waitMillis) {
        return new Answer(n, queue, item, start, maxAgeMs, staleMs, waitMillis);
    }

    /** Whether one that is no longer fresh will do. */
    boolean takesStale() {
        return staleMs == null || staleMs > 0;
    }

    /** The same question some time later: what came meanwhile counts. */
    Question after(long millis) {
        return new Question(queue, item, start, maxAgeMs == null ? null : maxAgeMs + millis, staleMs);
    }

    /** For answers that are fresh only. */
    Question freshOnly() {
        return new Question(queue, item, start, maxAgeMs, 0L);
    }

    /** For what is there, without new work. */
    Question ofTheKept() {
        return new Question(queue, item, false, maxAgeMs, staleMs);
    }

    /** The same for all that ask for answers of any age. */
    Question anyAge() {
        return new Question(queue, item, start, null, staleMs);
    }

    boolean accepts(long ageMs) {
        return maxAgeMs == null || ageMs <= maxAgeMs;
    }
}
