package dev.weir.gateway.http;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.audit.AuditLog;
import dev.weir.gateway.broker.Link;
import dev.weir.gateway.broker.LowQueues;
import dev.weir.gateway.broker.Notices;
import dev.weir.gateway.broker.Outcomes;
import dev.weir.gateway.live.Watch;
import dev.weir.gateway.logs.LogRoots;
import dev.weir.gateway.mirror.Mirror;
import dev.weir.gateway.openid.IssuedTokens;
import dev.weir.gateway.openid.Issuer;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.gateway.pilots.PilotDesk;
import dev.weir.gateway.queues.AnswerDesk;
import dev.weir.gateway.queues.FreshAnswers;
import dev.weir.gateway.queues.QueueDesk;
import dev.weir.gateway.tls.Https;
import dev.weir.protocol.Limits;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import java.util.Optional;
import org.eclipse.jetty.http.BadMessageException;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ThreadLimitHandler;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of the gateway, and the parts that it needs, which it closes. */
public final class Web implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Web.class);

    /** A slow client takes one while it takes its answer, or sends a large body. */
    private static final int MAX_THREADS = 200;

    /** So that slow clients at one address leave some to others. */
    private static final int MAX_THREADS_OF_ADDRESS = 150;

    private static final int MAX_LARGE_BODIES = 32;

    private static final long IDLE_MILLIS = 30_000;
    /** When all connections are in use. */
    private static final long IDLE_MILLIS_IF_FULL = 2_000;

    /** Jetty counts from the first byte on: a small body that this process reads a moment late must not be taken for a slow client. */
    private static final long MIN_BYTES_PER_SECOND = 1;

    private final RequestMetrics metrics = new RequestMetrics();
    private final Outcomes outcomes = new Outcomes();
    private final LowQueues low = new LowQueues();
    private final GatewayOptions options;
    private final LogRoots logRoots;
    /** Null for plain HTTP. */
    private final Https https;

    /** Null for tokens of the file only. */
    private final Issuer issuer;

    private final Guard guard;
    private final AuditLog audit;
    private final Mirror mirror;
    /** Anybody may ask for the gateway's health, as often as they like, also while other counts are slow. */
    private final Paced<Boolean> database;

    private final Watch watch;
    private final Events events;
    private final Link link;
    private final PilotDesk desk;
    private final QueueDesk queues;
    private final Sending sending;
    private final Javalin server;

    /** Starts to answer; database and broker may be away. */
    public Web(GatewayOptions options) {
        this.options = options;
        logRoots = new LogRoots(options.logRoots());
        https = options.tls() == null ? null : new Https(options.tls());
        TokenFile file = new TokenFile(options.tokens(), options.furtherTokens());
        issuer = options.openId() == null ? null : new Issuer(options.openId());
        guard = new Guard(issuer == null ? file : new IssuedTokens(file, issuer), options.requestsPerSecond());
        audit = new AuditLog(options.audit());
        mirror = Mirror.of(options, metrics.registry());
        database = Paced.alone(() -> {
            mirror.check();
            return true;
        });
        Notices notices = new Notices();
        link = new Link(options, outcomes, low, notices);
        desk = new PilotDesk(link, notices, options.startWithin(), metrics.registry());
        queues = new QueueDesk(link, metrics.registry());
        watch = new Watch(mirror);
        events = new Events(watch, guard);
        sending = new Sending(link, outcomes, audit);
        metrics.watchBroker(() -> link.trouble().isEmpty());
        try {
            server = Javalin.create(this::configure).start(options.host(), options.port());
        } catch (RuntimeException e) {
            closeParts();
            throw e;
        }
    }

    private void configure(JavalinConfig config) {
        JsonHttp.configure(config, "The gateway", MAX_THREADS, Limits.MAX_MESSAGE_BYTES);
        config.http.prefer405over404 = true;
        config.jetty.modifyServer(this::limit);
        config.jetty.modifyHttpConfiguration(http -> {
            http.setSendServerVersion(false);
            http.setIdleTimeout(IDLE_MILLIS);
            http.setMinRequestDataRate(MIN_BYTES_PER_SECOND);
        });
        if (https != null) {
            config.jetty.addConnector((jetty, http) -> https.connector(jetty, http, options.host(), options.port()));
        }
        config.routes.before(metrics::begin);
        config.routes.before(Web::harden);
        config.routes.before(guard::count);
        config.routes.beforeMatched(guard::authorise);
        LargeAnswers large = new LargeAnswers();
        config.routes.after(large::bound);
        config.routes.after(metrics::end);
        config.routes.after(sending::answered);
        config.routes.get("/health", this::health, Role.ANYONE);
        config.routes.head("/health", this::health, Role.ANYONE);
        metrics.addTo(config.routes);
        new Docs().addTo(config.routes);
        new Pages().addTo(config.routes);
        Pools pools = new Pools(mirror, watch.throughput());
        new Overview(mirror, pools, watch, link, options.placement() != null).addTo(config.routes);
        Readers readers = new Readers();
        new Reads(mirror, pools, watch.throughput(), readers).addTo(config.routes);
        new Logs(mirror, logRoots).addTo(config.routes);
        events.addTo(config.routes);
        new Changes(sending, mirror, readers).addTo(config.routes);
        new RejectedMessages(link, sending).addTo(config.routes);
        new Placement(options.placement()).addTo(config.routes);
        new PilotRequests(desk).addTo(config.routes);
        new QueueReads(queues, low).addTo(config.routes);
        Ticker ticker = Ticker.systemTicker();
        FreshAnswers answers = new FreshAnswers(ticker);
        new QueueChanges(queues, answers, sending).addTo(config.routes);
        new QueueFeeds(queues, large).addTo(config.routes);
        new QueueWork(queues, large).addTo(config.routes);
        new QueueLeases(queues, answers).addTo(config.routes);
        new QueueScores(queues).addTo(config.routes);
        AnswerDesk answerDesk = new AnswerDesk(queues::ask, answers, ticker, metrics.registry());
        new QueueAsks(answerDesk, large).addTo(config.routes);
        config.routes.exception(
                BadMessageException.class,
                (e, http) -> JsonHttp.problem(
                        http,
                        new Problem(
                                e.getCode(), "Request refused", "the body did not come as it should: " + reason(e))));
        config.routes.exception(JdbiException.class, (e, http) -> {
            LOG.warn("{} {} could not be answered: {}", http.method(), http.path(), reason(e));
            http.header("Retry-After", "1");
            JsonHttp.problem(
                    http,
                    new Problem(503, "Database away", "the database does not answer now, or not in time; ask again"));
        });
    }

    private void limit(Server jetty) {
        NetworkConnectionLimit limit = new NetworkConnectionLimit(options.maxConnections(), jetty);
        limit.setEndPointIdleTimeout(IDLE_MILLIS_IF_FULL);
        jetty.addBean(limit);
        jetty.setErrorHandler(new JettyProblems());
        ThreadLimitHandler threads = new ThreadLimitHandler();
        threads.setThreadLimit(MAX_THREADS_OF_ADDRESS);
        threads.setHandler(new WholeBodies(MAX_LARGE_BODIES));
        jetty.setHandler(threads);
    }

    /** Answers are data, not pages, and belong to the asker alone. */
    private static void harden(Context http) {
        http.header("X-Content-Type-Options", "nosniff");
        http.header("Cache-Control", "private, no-cache");
    }

    private void health(Context http) {
        Optional<String> why = link.trouble();
        try {
            database.get();
        } catch (JdbiException | Problem e) {
            LOG.warn("The database does not answer: {}", reason(e));
            why = Optional.of(
                    "the database does not answer, or has no tables of Weir yet; the gateway's log says more");
        }
        JsonHttp.health(http, why);
    }

    private static String reason(Throwable e) {
        return e.getCause() == null
                ? String.valueOf(e.getMessage())
                : e.getCause().toString();
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        // First, so that the streams of events end, and are not cut.
        watch.close();
        events.close();
        desk.close();
        queues.end();
        server.stop();
        closeParts();
    }

    private void closeParts() {
        if (https != null) {
            https.close();
        }
        if (issuer != null) {
            issuer.close();
        }
        watch.close();
        events.close();
        desk.close();
        queues.close();
        link.close();
        mirror.close();
        audit.close();
    }
}
