package dev.weir.cli.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback address that nobody listens on. */
public final class FreePort {

    private FreePort() {}

    /** One that was free a moment ago. Another program may take it before it is used; then the start fails and says so. */
    public static int any() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The wished port, or any free one when the wish is 0. */
    public static int orAny(int wished) throws IOException {
        return wished == 0 ? any() : wished;
    }
}
