package dev.weir.connectors.dsm;

import java.io.IOException;

/** DSM answered that it cannot now, or its answer broke off: worth another attempt. */
final class Transient extends IOException {

    Transient(String what) {
        super(what);
    }

    Transient(String what, Throwable cause) {
        super(what, cause);
    }
}
