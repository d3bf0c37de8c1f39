package dev.weir.gateway.broker;

/** The gateway does not send to such a queue. */
public final class NotOurs extends RuntimeException {

    NotOurs(String reason) {
        super(reason);
    }
}
