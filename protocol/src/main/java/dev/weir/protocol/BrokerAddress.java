package dev.weir.protocol;

import java.net.URI;
import java.net.URISyntaxException;

/** The broker's address, a URI that may contain a password; no message of this class quotes it. */
public final class BrokerAddress {

    private static final int MAX_PORT = 65_535;

    private BrokerAddress() {}

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if clients could read it in different ways
     */
    public static URI parse(String address) {
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            throw malformed();
        }
        boolean amqp = "amqp".equalsIgnoreCase(uri.getScheme()) || "amqps".equalsIgnoreCase(uri.getScheme());
        if (!amqp || uri.getHost() == null || uri.getPort() > MAX_PORT || !isWhole(uri)) {
            throw malformed();
        }
        return uri;
    }

    /**
     * False if an unencoded character ends the user part too early: the rest of a password would then be read as a port or
     * a virtual host, and shown.
     */
    public static boolean isWhole(URI uri) {
        boolean atBehindTheHost = uri.getRawUserInfo() == null && uri.toString().indexOf('@') >= 0;
        return !atBehindTheHost && uri.getRawFragment() == null;
    }

    /** The message about an unusable address. */
    public static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "the broker's address is not of the form amqp://user:password@host:port/vhost (or amqps:),"
                        + " percent-encoded ('/' as %2F, '@' as %40), with a host that a URL can name");
    }
}
