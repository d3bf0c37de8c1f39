package dev.weir.pilot.storage;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The servers that {@code http} and {@code https} URLs may name. Without any no such URL is served, because a sender of tasks could
 * make pilots ask services of the site that trust every client that reaches them.
 */
public final class HttpHosts {

    /** A name or an address; a domain after {@code *.}; {@code *} for all. A port may follow. */
    private static final Pattern VALID =
            Pattern.compile("(\\*|(\\*\\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final List<String> allowed;

    /** @throws IllegalArgumentException when one is no host */
    public HttpHosts(List<String> allowed) {
        this.allowed =
                allowed.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        for (String host : this.allowed) {
            if (!VALID.matcher(host).matches()) {
                throw new IllegalArgumentException("--http-host is host, host:port, *.domain or *, got '" + host + "'");
            }
        }
    }

    /** @throws RefusedException when the pilot may not ask this server */
    void check(URI uri, String url) throws RefusedException {
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        int usual = uri.getScheme().equalsIgnoreCase("https") ? HTTPS_PORT : HTTP_PORT;
        int port = uri.getPort() < 0 ? usual : uri.getPort();
        if (allowed.stream().noneMatch(one -> allows(one, host, port))) {
            throw new RefusedException(url + " leads to " + host + ":" + port + ", which is none of the pilot's hosts "
                    + (allowed.isEmpty() ? "(none are set)" : allowed) + "; see --http-host");
        }
    }

    private static boolean allows(String allowed, String host, int port) {
        int colon = allowed.lastIndexOf(':');
        boolean hasPort = colon > allowed.lastIndexOf(']');
        String name = hasPort ? allowed.substring(0, colon) : allowed;
        if (hasPort && Integer.parseInt(allowed.substring(colon + 1)) != port) {
            return false;
        }
        return name.equals("*") || (name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name));
    }
}
