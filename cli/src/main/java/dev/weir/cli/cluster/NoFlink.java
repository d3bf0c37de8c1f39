package dev.weir.cli.cluster;

import java.io.IOException;

/** Nothing takes requests at Flink's address, or what does has closed the connection. */
final class NoFlink extends IOException {

    private static final long serialVersionUID = 1;

    NoFlink(String message, IOException cause) {
        super(message, cause);
    }
}
