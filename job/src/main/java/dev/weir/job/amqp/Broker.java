package dev.weir.job.amqp;

import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.Secrets;
import dev.weir.protocol.BrokerAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;

/** The connection to the broker, from the options. */
public final class Broker {

    /** After an outage of any length jobs leave again within seconds. Some ten connections that try so often are no load. */
    static final BackOff RECONNECT =
            new BackOff(Duration.ofMillis(100), Duration.ofSeconds(2), BackOff.DEFAULT.giveUpAfter());

    private Broker() {}

    /**
     * Throws when the URI is not one; the message never shows a password. Heartbeat and timeout are the connector's, 20 s and 10 s, unless the
     * URI has its own: ones that are set here would override those.
     */
    public static RMQConnectionConfig connection(Configuration configuration) {
        return new RMQConnectionConfig.Builder()
                .setUri(uri(configuration))
                .setAutomaticRecovery(false)
                .setTopologyRecoveryEnabled(false)
                .build();
    }

    /** The broker's URI with user and password in it. Not for logs. */
    public static String uri(Configuration configuration) {
        String given = configuration.get(AmqpOptions.URI);
        URI uri;
        try {
            uri = new URI(given);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(AmqpOptions.URI.key() + " is not a URI: " + e.getReason() + " at index "
                    + e.getIndex() + "; write it as amqp://host:port/vhost");
        }
        if (uri.getHost() == null || !("amqp".equals(uri.getScheme()) || "amqps".equals(uri.getScheme()))) {
            throw new IllegalArgumentException(
                    AmqpOptions.URI.key() + " must be amqp://host:port/vhost or amqps://host:port/vhost");
        }
        if (!BrokerAddress.isWhole(uri)) {
            throw new IllegalArgumentException(AmqpOptions.URI.key()
                    + " has a '/', '?' or '#' in what may be its password, or an '@' behind its host; percent-encode it ('/' as %2F, '@' as %40), or set "
                    + AmqpOptions.PASSWORD_FILE.key());
        }
        if (uri.getRawUserInfo() != null) {
            return given;
        }
        String user = configuration.get(AmqpOptions.USER);
        String password = Secrets.read(configuration, AmqpOptions.PASSWORD_FILE, AmqpOptions.PASSWORD);
        String userInfo = encoded(user == null ? "guest" : user) + ":" + encoded(password == null ? "guest" : password);
        int port = uri.getPort() >= 0 ? uri.getPort() : "amqps".equals(uri.getScheme()) ? 5671 : 5672;
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/%2f" : uri.getRawPath();
        return uri.getScheme() + "://" + userInfo + "@" + uri.getHost() + ":" + port + path
                + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
