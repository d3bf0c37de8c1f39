package dev.weir.protocol;

import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * A rejected message, for operators.
 *
 * @param reason of the rejection, in a sentence
 * @param field the invalid field; null for the whole message
 * @param queue of its arrival
 * @param bodyBase64 its first 64 KiB
 */
public record Rejected(String reason, String field, String queue, Instant receivedAt, String bodyBase64) {

    public Rejected {
        reason = Check.sentence(Check.text("reason", reason));
        field = field == null ? null : Texts.first(field, Limits.MAX_FIELD_LENGTH);
        if (bodyBase64 != null) {
            Check.length("body_base64", bodyBase64, (Limits.MAX_REJECTED_BODY_BYTES + 2) / 3 * 4);
        }
        Check.label("queue", Check.text("queue", queue));
    }

    public static Rejected of(String reason, String field, String queue, Instant receivedAt, byte[] body) {
        byte[] kept = body.length <= Limits.MAX_REJECTED_BODY_BYTES
                ? body
                : Arrays.copyOf(body, Limits.MAX_REJECTED_BODY_BYTES);
        return new Rejected(
                reason, field, queue, receivedAt, Base64.getEncoder().encodeToString(kept));
    }
}
