package dev.weir.gateway.broker;

/** Weir runs without queues here, or this gateway may not use them; the sentence says what is missing. */
public final class NoQueues extends RuntimeException {

    NoQueues(String reason, Throwable cause) {
        super(reason, cause);
    }
}
