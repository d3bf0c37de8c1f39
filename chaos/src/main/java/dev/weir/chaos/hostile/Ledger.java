package dev.weir.chaos.hostile;

import dev.weir.chaos.judge.Violation;
import dev.weir.protocol.Rejected;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was sent and what came of it. A rejection has no more of its message than the first 64 KiB, by which it is found again. Safe for
 * use from many threads.
 */
public final class Ledger {

    private static final int KEPT_BYTES = 64 * 1024;
    private static final int MOST_VIOLATIONS = 50;
    private static final int MOST_CHARACTERS = 300;

    private final Map<Long, Entry> entries = new HashMap<>();
    private final Map<Spoiling, String> reasons = new EnumMap<>(Spoiling.class);
    private final List<Violation> violations = new ArrayList<>();
    private long sent;
    private long rejected;
    /** Rejections that are still to come. */
    private long awaited;

    /** Messages with the same begin. */
    private static final class Entry {

        final Door door;
        final Spoiling spoiling;
        final boolean mustBeRejected;
        int sent;
        int rejected;

        Entry(BadMessage message) {
            door = message.door();
            spoiling = message.spoiling();
            mustBeRejected = message.mustBeRejected();
        }
    }

    /**
     * What came of one kind of message.
     *
     * @param rejected with a reason
     * @param harmless taken, and judged by what the good traffic says
     * @param reason one of those that were given; null if none was
     */
    public record Sum(String spoiling, long sent, long rejected, long harmless, String reason) {}

    synchronized void sent(BadMessage message) {
        Entry entry = entries.computeIfAbsent(key(message.door().queue(), message.body()), key -> new Entry(message));
        entry.sent++;
        sent++;
        if (entry.mustBeRejected) {
            awaited++;
        }
    }

    /** @param door the queue that it came from; null if it is none of ours */
    synchronized void rejected(Rejected rejection, Door door) {
        rejected++;
        byte[] body = Base64.getDecoder().decode(rejection.bodyBase64());
        Entry entry = door == null ? null : entries.get(key(door.queue(), body));
        if (entry == null) {
            // Weir may have put the URL of a storage into a task before it refused it.
            if (!isHostile(body)) {
                violation("rejected", rejection, body);
            }
            return;
        }
        entry.rejected++;
        reasons.putIfAbsent(entry.spoiling, rejection.reason());
        if (entry.rejected > entry.sent) {
            violation("rejected twice", rejection, body);
        } else if (entry.mustBeRejected) {
            awaited--;
        }
    }

    /** Whether a message, or its begin, is about the things of the bad input. */
    public static boolean isHostile(byte[] body) {
        return new String(body, StandardCharsets.UTF_8).contains(Templates.MARK);
    }

    private void violation(String rule, Rejected rejection, byte[] body) {
        if (violations.size() < MOST_VIOLATIONS) {
            String text =
                    rejection.queue() + ": " + rejection.reason() + ": " + new String(body, StandardCharsets.UTF_8);
            violations.add(
                    new Violation(rule, null, null, text.substring(0, Math.min(text.length(), MOST_CHARACTERS))));
        }
    }

    synchronized long sent() {
        return sent;
    }

    synchronized long rejected() {
        return rejected;
    }

    synchronized long awaited() {
        return awaited;
    }

    /** By kind, in the order of their names. */
    public synchronized List<Sum> sums() {
        Map<String, long[]> sums = new TreeMap<>();
        for (Entry entry : entries.values()) {
            long[] sum = sums.computeIfAbsent(entry.spoiling.toString(), kind -> new long[2]);
            sum[0] += entry.sent;
            sum[1] += entry.rejected;
        }
        List<Sum> all = new ArrayList<>();
        sums.forEach((kind, sum) -> all.add(new Sum(
                kind,
                sum[0],
                sum[1],
                sum[0] - sum[1],
                reasons.get(Spoiling.valueOf(kind.toUpperCase(java.util.Locale.ROOT))))));
        return all;
    }

    /** Rejections of what is not ours, or that came again, and messages that were not rejected although nobody can read them. */
    public synchronized List<Violation> violations() {
        List<Violation> all = new ArrayList<>(violations);
        entries.values().stream()
                .filter(entry -> entry.mustBeRejected && entry.rejected < entry.sent)
                .limit(MOST_VIOLATIONS)
                .map(entry -> new Violation(
                        "not rejected",
                        null,
                        null,
                        entry.sent - entry.rejected + " of " + entry.sent + " messages on " + entry.door.queue() + ", "
                                + entry.spoiling))
                .forEach(all::add);
        return all;
    }

    private static long key(String queue, byte[] body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(queue.getBytes(StandardCharsets.UTF_8));
            digest.update(body.length > KEPT_BYTES ? Arrays.copyOf(body, KEPT_BYTES) : body);
            return ByteBuffer.wrap(digest.digest()).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
