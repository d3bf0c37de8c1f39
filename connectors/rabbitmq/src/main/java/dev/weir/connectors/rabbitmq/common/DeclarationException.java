package dev.weir.connectors.rabbitmq.common;

import java.io.IOException;
import org.apache.flink.annotation.Internal;

/** The broker, or the client, refuses one declaration of a {@link Topology}. */
@Internal
public final class DeclarationException extends IOException {
    private static final long serialVersionUID = 1L;

    DeclarationException(String what, Exception cause) {
        super(what + " cannot be declared as in setTopology: " + Reason.of(cause), cause);
    }
}
