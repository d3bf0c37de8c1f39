package dev.weir.placement.replication;

/** The chunks do not fit with the minimum number of replicas. The message has the numbers. */
public final class NotEnoughCapacityException extends Exception {

    private static final long serialVersionUID = 1;

    public NotEnoughCapacityException(String message, Throwable cause) {
        super(message, cause);
    }

    public NotEnoughCapacityException(String message) {
        super(message);
    }
}
