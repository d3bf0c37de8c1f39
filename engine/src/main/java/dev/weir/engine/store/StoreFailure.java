package dev.weir.engine.store;

/** The place where the state lies has failed: that says nothing about what was read or written. */
public class StoreFailure extends RuntimeException {

    public StoreFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
