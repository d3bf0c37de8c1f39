package dev.weir.engine.store;

/** The program is older than its state. */
public final class NewerVersion extends StoreFailure {

    NewerVersion(String message) {
        super(message, null);
    }
}
