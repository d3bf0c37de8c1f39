package dev.weir.queues.api;

/**
 * A keyed hash that no other program can make, such as HMAC-SHA-256 with a secret. The same text always has the same seal, also after a
 * restart. Called by one thread.
 */
@FunctionalInterface
public interface Seal {

    /** The seal of a text, in characters of base64url. */
    String of(String text);
}
