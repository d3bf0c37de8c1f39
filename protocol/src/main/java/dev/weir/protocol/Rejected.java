package dev.weir.protocol;

import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * A message that could not be taken, for operators to look at.
 *
 * @param reason what is wrong, in a sentence
 * @param field the field at fault; null when the message as a whole is
 * @param queue where it came from
 * @param bodyBase64 its first 64 KiB
 */
public record Rejected(String reason, String field, String queue, Instant receivedAt, String bodyBase64) {

    public Rejected {
        Check.text("reason", reason);
        Check.text("queue", queue);
    }

    public static Rejected of(String reason, String field, String queue, Instant receivedAt, byte[] body) {
        byte[] kept = body.length <= Limits.MAX_REJECTED_BODY_BYTES
                ? body
                : Arrays.copyOf(body, Limits.MAX_REJECTED_BODY_BYTES);
        return new Rejected(
                reason, field, queue, receivedAt, Base64.getEncoder().encodeToString(kept));
    }
}
