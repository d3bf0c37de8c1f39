package dev.weir.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The available real services. */
final class Services {

    private static final int CONNECT_MILLIS = 500;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Services() {}

    /** Whether tests must fail if a real service is missing. */
    static boolean required() {
        return "1".equals(System.getenv("WEIR_REQUIRE_SERVICES"));
    }

    static boolean answersLocally(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static AssertionError missing(String what, String variable, int port) {
        return new AssertionError("WEIR_REQUIRE_SERVICES=1, but there is no " + what + ": set " + variable
                + " or start one on 127.0.0.1:" + port);
    }

    /** A name that is unique among all tests on the same service. */
    static String uniqueName() {
        byte[] bytes = new byte[6];
        RANDOM.nextBytes(bytes);
        return "weir_test_" + HexFormat.of().formatHex(bytes);
    }
}
