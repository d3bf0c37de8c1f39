package dev.weir.engine.store;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A value of state whose bytes make no sense. All other values may be sound. */
public final class DamagedValue extends UncheckedIOException {

    DamagedValue(Table<?> table, Exception cause) {
        super("a value of " + table + " is damaged: " + cause.getMessage(), new IOException(cause));
    }
}
