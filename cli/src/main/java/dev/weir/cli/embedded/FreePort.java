package dev.weir.cli.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Free ports of the loopback address. */
public final class FreePort {

    private FreePort() {}

    /** A port that is free now. If another program takes it before its use, the start fails with a message. */
    public static int any() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * The wished port, or any free one if the wish is 0.
     *
     * @throws IOException when the wished port is invalid or taken
     */
    public static int orAny(int wished) throws IOException {
        if (wished == 0) {
            return any();
        }
        try (ServerSocket socket = new ServerSocket(wished, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IllegalArgumentException e) {
            throw new IOException(wished + " is not a port; ports are from 1 to 65535, or 0 for any free one", e);
        } catch (BindException e) {
            throw new IOException(
                    "port " + wished + " of 127.0.0.1 cannot be listened on (" + e.getMessage()
                            + "); give another, or 0 for any free one",
                    e);
        }
    }

    /**
     * The wished port; if the wish is 0, the one of the last time, or any where that is not free.
     *
     * @param last 0 for none
     * @throws IOException when the wished port is invalid or taken
     */
    public static int orLast(int wished, int last) throws IOException {
        try {
            return orAny(wished == 0 ? last : wished);
        } catch (IOException taken) {
            if (wished != 0) {
                throw taken;
            }
            return any();
        }
    }
}
