package dev.weir.queues.item;

import dev.weir.queues.api.Seal;
import dev.weir.queues.state.ItemRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;

/**
 * What a worker needs to speak about its lease. Only who has the secret of the seal can make one.
 *
 * @param number of the item, which distinguishes items of the same key that came one after the other
 * @param lease which lease of the item: {@code <start>-<n>}, where start names one run of Weir
 */
record Token(String queue, String key, long number, String lease) {

    private static final char END = '\0';
    private static final int FIELDS = 4;

    String sealed(Seal seal) {
        String text = queue + END + number + END + lease + END + key;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "."
                + seal.of(text);
    }

    /** Reads what {@link #sealed} gave; null for any other text. */
    static Token read(String token, Seal seal) {
        int dot = token.indexOf('.');
        if (dot < 0) {
            return null;
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(token.substring(0, dot)), StandardCharsets.UTF_8);
            if (!same(seal.of(text), token.substring(dot + 1))) {
                return null;
            }
            String[] fields = text.split(String.valueOf(END), FIELDS);
            return new Token(fields[0], fields[3], Long.parseLong(fields[1]), fields[2]);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether the item has this queue and this key. */
    boolean isOf(ItemRecord item) {
        return item.queue.equals(queue) && item.key.equals(key);
    }

    /** In a time that does not tell how much of it is right. */
    private static boolean same(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Whether the lease may be one that a state does not know of which this is the last lease; null for none. Leases of one run have rising
     * numbers.
     */
    boolean isUnknownTo(String last) {
        if (last == null) {
            return true;
        }
        int dash = lease.lastIndexOf('-') + 1;
        boolean isOfSameRun = last.startsWith(lease.substring(0, dash)) && last.lastIndexOf('-') + 1 == dash;
        return !isOfSameRun || Long.parseLong(lease.substring(dash)) > Long.parseLong(last.substring(dash));
    }

    /** Whether it was given by another run of Weir, so that the state may not know of it. */
    boolean isOfAnotherStart(String start) {
        return !lease.startsWith(start + "-");
    }
}
