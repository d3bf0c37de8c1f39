package dev.weir.pilot.gateway;

import dev.weir.pilot.uplink.Uplink;
import dev.weir.pilot.uplink.UplinkSettings;
import dev.weir.protocol.Notice;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * Where the gateway is.
 *
 * @param url {@code https://host:port}, or {@code http:}; a path before the gateway's own is kept
 * @param token of role pilot
 * @param tokenFile is read again when the token is refused, for tokens that somebody renews; null: there is none
 * @param pools to take jobs from, the preferred one first
 * @param longPoll how long one request waits for a job or a notice, at most a minute
 * @param retryLeast the first pause after a request that failed; doubles each time
 * @param retryMost the longest pause
 * @param reconnectFor how long to go on without an answer before the pilot gives up
 * @param trusted with the authorities that may have signed the gateway's certificate; null: those that Java trusts
 */
public record GatewaySettings(
        URI url,
        String token,
        Path tokenFile,
        List<String> pools,
        Duration longPoll,
        Duration retryLeast,
        Duration retryMost,
        Duration reconnectFor,
        SSLContext trusted)
        implements UplinkSettings {

    /** Proxies cut requests that are silent for a minute. */
    private static final Duration WAIT = Duration.ofSeconds(30);

    private static final Duration RETRY_LEAST = Duration.ofMillis(250);
    private static final Duration RETRY_MOST = Duration.ofSeconds(15);
    private static final Pattern TOKEN = Pattern.compile("[!-~]{1,7000}");

    public GatewaySettings {
        String scheme = url.getScheme();
        boolean isHttp = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
        if (!isHttp || url.getHost() == null || url.getUserInfo() != null || url.getQuery() != null) {
            throw new IllegalArgumentException(
                    "the gateway's address must be like https://host:port, without user, password and query");
        }
        if (!isToken(token)) {
            throw new IllegalArgumentException(
                    "the gateway's token must be 1 to 7000 characters of ASCII, without blanks");
        }
        pools = List.copyOf(pools);
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("a pilot serves at least one pool");
        }
    }

    static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    /** With the usual times. */
    public static GatewaySettings of(
            URI url, String token, Path tokenFile, List<String> pools, Duration reconnectFor, SSLContext trusted) {
        return new GatewaySettings(url, token, tokenFile, pools, WAIT, RETRY_LEAST, RETRY_MOST, reconnectFor, trusted);
    }

    /** Without the token, in case someone logs it. */
    @Override
    public String toString() {
        return "GatewaySettings[" + url + ", pools " + pools + "]";
    }

    @Override
    public String address() {
        return url.toString();
    }

    @Override
    public Uplink uplink(String pilotId, Consumer<Notice> notices) {
        return new GatewayUplink(this, pilotId, notices);
    }
}
