package dev.weir.cli.embedded;

import java.io.IOException;
import java.net.BindException;
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

    /**
     * The wished port, or any free one when the wish is 0.
     *
     * @throws IOException when the wished one is no port, or taken
     */
    public static int orAny(int wished) throws IOException {
        if (wished == 0) {
            return any();
        }
        try (ServerSocket socket = new ServerSocket(wished, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IllegalArgumentException e) {
            throw new IOException(wished + " is no port; ports are from 1 to 65535, or 0 for any free one", e);
        } catch (BindException e) {
            throw new IOException(
                    "port " + wished + " of 127.0.0.1 cannot be listened on (" + e.getMessage()
                            + "); name another, or 0 for any free one",
                    e);
        }
    }
}
