package dev.weir.pilot.broker;

import dev.weir.pilot.uplink.Uplink;
import dev.weir.pilot.uplink.UplinkSettings;
import dev.weir.protocol.Names;
import dev.weir.protocol.Notice;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where the broker is and what things are called there.
 *
 * @param url {@code amqp://user:password@host:port/vhost}, or {@code amqps:} for TLS with the JVM's trust store
 * @param pools the queues to take jobs from, the preferred one first
 * @param jobsPrefix comes before a pool's name in the name of its queue
 * @param exchange takes reports
 * @param reportsKey their routing key
 * @param reportsQueue made and bound only with {@code declare}
 * @param noticesExchange gives notices
 * @param declare whether to make what is missing, as the protocol page says; else the pilot waits until it is there
 * @param retryLeast the first pause between two tries to connect; doubles each time
 * @param retryMost the longest pause
 * @param reconnectFor how long to go on without a connection before the pilot gives up
 */
public record BrokerSettings(
        String url,
        List<String> pools,
        String jobsPrefix,
        String exchange,
        String reportsKey,
        String reportsQueue,
        String noticesExchange,
        boolean declare,
        Duration retryLeast,
        Duration retryMost,
        Duration reconnectFor)
        implements UplinkSettings {

    public static final String LOCAL_URL = "amqp://guest:guest@localhost:5672/%2f";
    public static final Duration RETRY_LEAST = Duration.ofMillis(250);
    public static final Duration RETRY_MOST = Duration.ofSeconds(15);
    public static final Duration RECONNECT_FOR = Duration.ofDays(1);

    public BrokerSettings {
        pools = List.copyOf(pools);
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("a pilot serves at least one pool");
        }
    }

    /** All defaults. */
    public static BrokerSettings of(String url, List<String> pools) {
        return new BrokerSettings(
                url,
                pools,
                Names.JOBS_PREFIX,
                Names.SEND_REPORTS,
                Names.REPORTS_KEY,
                Names.REPORTS,
                Names.NOTICES,
                false,
                RETRY_LEAST,
                RETRY_MOST,
                RECONNECT_FOR);
    }

    /** Without the password, in case someone logs it. */
    @Override
    public String toString() {
        return "BrokerSettings[" + shownUrl() + ", pools " + pools + "]";
    }

    /** With the exchange: several Weirs may share a broker. */
    @Override
    public String address() {
        return shownUrl() + " " + exchange;
    }

    @Override
    public Uplink uplink(String pilotId, Consumer<Notice> notices) {
        return new BrokerUplink(this, pilotId, notices);
    }

    String queue(String pool) {
        return jobsPrefix + pool;
    }

    /** The URL for logs: without user and password. */
    String shownUrl() {
        return url.replaceFirst("//[^/]*@", "//");
    }
}
