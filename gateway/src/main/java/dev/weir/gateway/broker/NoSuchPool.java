package dev.weir.gateway.broker;

/** The broker has no queue for a pool, or none that the gateway may read. */
public final class NoSuchPool extends RuntimeException {

    private final String pool;

    NoSuchPool(String pool, String reason) {
        super(reason);
        this.pool = pool;
    }

    public String pool() {
        return pool;
    }
}
