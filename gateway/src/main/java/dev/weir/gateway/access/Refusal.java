package dev.weir.gateway.access;

/** A token is not taken; the message says why, and quotes no part of it that is secret. */
public final class Refusal extends RuntimeException {

    private final int status;

    /** @param status 401: it is not valid; 403: it is valid, and allows nothing here; 503: it cannot be checked now */
    public Refusal(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
