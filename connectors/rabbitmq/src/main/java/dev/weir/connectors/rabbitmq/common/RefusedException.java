package dev.weir.connectors.rabbitmq.common;

import java.io.IOException;
import org.apache.flink.annotation.Internal;

/**
 * The broker is there and says no, or shows a certificate that we do not trust, or its configuration cannot be right: trying
 * again does not help. Its text names no user, and it has no cause that would.
 */
@Internal
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
