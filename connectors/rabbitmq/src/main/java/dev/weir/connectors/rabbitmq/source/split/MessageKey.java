package dev.weir.connectors.rabbitmq.source.split;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.flink.annotation.Internal;

/**
 * The first 128 bits of SHA-256 over a message's id: as good as the id to recognise it (two of a million ids are equal with a
 * probability of 10⁻²⁷), and 16 bytes of state however long the id.
 */
@Internal
public record MessageKey(long high, long low) {

    /** The key of a message id. */
    public static MessageKey of(String messageId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(messageId.getBytes(StandardCharsets.UTF_8));
            ByteBuffer bits = ByteBuffer.wrap(digest);
            return new MessageKey(bits.getLong(), bits.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-256", e);
        }
    }

    @Override
    public int hashCode() {
        return Long.hashCode(low);
    }
}
