package dev.weir.placement.replication;

/** The chunks do not fit at the minimum of replicas. The message has the figures. */
public final class NotEnoughCapacityException extends Exception {

    private static final long serialVersionUID = 1;

    public NotEnoughCapacityException(String message, Throwable cause) {
        super(message, cause);
    }

    public NotEnoughCapacityException(String message) {
        super(message);
    }
}
