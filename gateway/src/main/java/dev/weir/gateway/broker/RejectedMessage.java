package dev.weir.gateway.broker;

import com.rabbitmq.client.GetResponse;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Rejected;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A message in the queue of rejected messages.
 *
 * @param tag of its delivery
 * @param id made from its content: equal messages have the same
 * @param about what was rejected, with the reason
 * @param body what was rejected, its first 64 KiB; empty when that is unknown
 */
public record RejectedMessage(long tag, String id, Rejected about, byte[] body) {

    private static final int ID_BYTES = 16;

    static RejectedMessage of(GetResponse got) {
        byte[] bytes = got.getBody();
        Rejected about;
        byte[] body = new byte[0];
        try {
            about = Json.readKept(bytes, Rejected.class);
            body = about.bodyBase64() == null ? body : Base64.getDecoder().decode(about.bodyBase64());
        } catch (InvalidMessage | IllegalArgumentException e) {
            about = new Rejected("the entry itself cannot be read: " + e.getMessage(), null, "unknown", null, null);
            body = bytes;
        }
        return new RejectedMessage(got.getEnvelope().getDeliveryTag(), id(bytes), about, body);
    }

    private static String id(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(Arrays.copyOf(hash, ID_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Whether only the begin of what was rejected is there. */
    public boolean isCut() {
        return body.length >= Limits.MAX_REJECTED_BODY_BYTES;
    }

    /** The first characters of what was rejected. */
    public String begin(int most) {
        return new String(body, 0, Math.min(body.length, most), StandardCharsets.UTF_8);
    }
}
