package dev.weir.bench.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A queue that is measured: workers take its items over HTTP and end them. Safe for use from many threads. */
interface Contender extends AutoCloseable {

    /** Before the proof of a lease in an answer. */
    String PROOF = "\"token\":\"";

    String name();

    /** Adds so many of the items of {@link Scans} in the fastest way that it has. Returns when they can be taken. */
    void fill(long count) throws Exception;

    /** Takes up to so many of the best items. Gives the proofs of their leases, with which they are ended; fails when there is none. */
    CompletableFuture<List<String>> take(int most);

    /** Ends items that were taken. */
    CompletableFuture<?> end(List<String> proofs);

    @Override
    void close() throws Exception;

    /** Fails when this text is not in an answer so often. The answer is not read as JSON: those who ask share the processors. */
    static void require(String answer, String text, int times) {
        int found = 0;
        for (int at = answer.indexOf(text); at >= 0; at = answer.indexOf(text, at + text.length())) {
            found++;
        }
        if (found != times) {
            throw new IllegalStateException(found + " times " + text + " in place of " + times + ": " + answer);
        }
    }

    /** The proofs in an answer, found as {@link #require} does. */
    static List<String> proofs(String answer) {
        List<String> proofs = new ArrayList<>();
        for (int at = answer.indexOf(PROOF); at >= 0; at = answer.indexOf(PROOF, at)) {
            int begin = at + PROOF.length();
            at = answer.indexOf('"', begin);
            proofs.add(answer.substring(begin, at));
        }
        if (proofs.isEmpty()) {
            throw new IllegalStateException("nothing was taken: " + answer);
        }
        return proofs;
    }
}
