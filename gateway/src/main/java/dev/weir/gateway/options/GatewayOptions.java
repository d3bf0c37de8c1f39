package dev.weir.gateway.options;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a gateway is started.
 *
 * @param host to listen on
 * @param port to listen on; 0 takes a free one
 * @param jdbcUrl of the mirror's database
 * @param amqpUri of the broker, with user and password
 * @param names of queues and exchanges
 * @param tokens the file of tokens; it may come later
 * @param furtherTokens lines as in that file, for those who configure by the environment; they hold as long as the gateway runs
 * @param audit the file of the audit log; null: the program's log
 * @param requestsPerSecond of one token, with bursts of as many; requests without a valid token have a twentieth, by address
 * @param maxConnections that are open at once; further ones wait until others are closed
 * @param startWithin a job that a pilot took and did not report goes back to its queue after this time
 * @param tls certificate and key of the port; null: it speaks plain HTTP
 * @param openId a provider of further tokens; null: there is none
 * @param placement the status.json of {@code ./weir place}, which may come later; null: no placement is shown
 * @param logRoots where logs may be read that the gateway shows: absolute directories, and beginnings of http and https addresses
 */
public record GatewayOptions(
        String host,
        int port,
        String jdbcUrl,
        String user,
        String password,
        String amqpUri,
        BrokerNames names,
        Path tokens,
        List<String> furtherTokens,
        Path audit,
        int requestsPerSecond,
        int maxConnections,
        Duration startWithin,
        TlsFiles tls,
        OpenIdOptions openId,
        Path placement,
        List<String> logRoots) {

    private static final String LOCAL_HOST = "127.0.0.1";

    public static final int REQUESTS_PER_SECOND = 1000;
    public static final int MAX_CONNECTIONS = 2000;
    public static final Duration START_WITHIN = Duration.ofSeconds(30);

    /** RabbitMQ closes a channel that does not acknowledge a message within half an hour. */
    private static final Duration LONGEST_START = Duration.ofMinutes(10);

    public GatewayOptions {
        logRoots = List.copyOf(logRoots);
        furtherTokens = List.copyOf(furtherTokens);
        if (requestsPerSecond < 1 || requestsPerSecond > 1_000_000) {
            throw new IllegalArgumentException(
                    "requests per second must be from 1 to 1000000, got " + requestsPerSecond);
        }
        if (maxConnections < 1 || maxConnections > 1_000_000) {
            throw new IllegalArgumentException("connections must be from 1 to 1000000, got " + maxConnections);
        }
        if (startWithin.toMillis() < 1 || startWithin.compareTo(LONGEST_START) > 0) {
            throw new IllegalArgumentException(
                    "the time to start a job must be from 1 ms to " + LONGEST_START + ", got " + startWithin);
        }
    }

    /** For a gateway on a local port: with the default names and limits, and the audit log in the program's log, unless more is given. */
    public static Builder local(int port, String jdbcUrl, String user, String password, String amqpUri, Path tokens) {
        return new Builder(port, jdbcUrl, user, password, amqpUri, tokens);
    }

    /** Options that are being put together; what is not given has its default. */
    public static final class Builder {

        private final int port;
        private final String jdbcUrl;
        private final String user;
        private final String password;
        private final String amqpUri;
        private final Path tokens;
        private BrokerNames names = BrokerNames.DEFAULT;
        private Path audit;
        private int requestsPerSecond = REQUESTS_PER_SECOND;
        private int maxConnections = MAX_CONNECTIONS;
        private Duration startWithin = START_WITHIN;
        private TlsFiles tls;
        private OpenIdOptions openId;
        private Path placement;
        private List<String> logRoots = List.of();

        private Builder(int port, String jdbcUrl, String user, String password, String amqpUri, Path tokens) {
            this.port = port;
            this.jdbcUrl = jdbcUrl;
            this.user = user;
            this.password = password;
            this.amqpUri = amqpUri;
            this.tokens = tokens;
        }

        public Builder withNames(BrokerNames given) {
            names = given;
            return this;
        }

        public Builder withAudit(Path file) {
            audit = file;
            return this;
        }

        public Builder withLimits(int mostRequestsPerSecond, int mostConnections) {
            requestsPerSecond = mostRequestsPerSecond;
            maxConnections = mostConnections;
            return this;
        }

        public Builder withStartWithin(Duration time) {
            startWithin = time;
            return this;
        }

        public Builder withTls(TlsFiles files) {
            tls = files;
            return this;
        }

        public Builder withOpenId(OpenIdOptions provider) {
            openId = provider;
            return this;
        }

        public Builder withPlacement(Path status) {
            placement = status;
            return this;
        }

        public Builder withLogRoots(String... roots) {
            logRoots = List.of(roots);
            return this;
        }

        public GatewayOptions build() {
            return new GatewayOptions(
                    LOCAL_HOST,
                    port,
                    jdbcUrl,
                    user,
                    password,
                    amqpUri,
                    names,
                    tokens,
                    List.of(),
                    audit,
                    requestsPerSecond,
                    maxConnections,
                    startWithin,
                    tls,
                    openId,
                    placement,
                    logRoots);
        }
    }
}
