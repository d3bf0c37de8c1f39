package dev.weir.gateway.broker;

/** The broker did not take a message; the sentence says whether it may have been sent nevertheless. */
public final class BrokerAway extends RuntimeException {

    public BrokerAway(String reason, Throwable cause) {
        super(reason, cause);
    }
}
