package dev.weir.cli.embedded;

import dev.weir.cli.client.Access;
import dev.weir.dsm.DsmServer;
import dev.weir.dsm.register.RegisterOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.job.Services;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.DsmOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WaysOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.configuration.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A complete Weir in this process: broker, database, DSM, gateway, and Flink with all jobs. Parts start in parallel where
 * possible and stop in the opposite order, so that each can finish its work.
 */
public final class LocalWeir implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalWeir.class);

    /** Broker, database and Flink start at the same time. */
    private static final int STARTERS = 3;

    /** Each start makes a new token. */
    private static final Duration TOKEN_LIFE = Duration.ofDays(365);

    private final DataDirectory data;

    /** The running parts, the last started first. */
    private final Deque<AutoCloseable> running = new ArrayDeque<>();

    private EmbeddedBroker broker;
    private EmbeddedDatabase database;
    private EmbeddedFlink flink;
    private DsmServer dsm;
    private Gateway gateway;
    private String token;
    private final StartFrom from;
    private Configuration pointed;
    private WeirJobs jobs;

    private LocalWeir(DataDirectory data, StartFrom from) {
        this.data = data;
        this.from = from;
    }

    /**
     * Starts the services with the data in the directory, and makes queues and tables. {@link #startJobs} starts the
     * jobs.
     *
     * @param settings the user's settings; addresses of services and what is for the gateway in them are ignored
     * @param from where each of the jobs starts
     * @throws IOException when a part does not start; the started parts are stopped
     */
    public static LocalWeir start(DataDirectory data, LocalPorts ports, Configuration settings, StartFrom from)
            throws IOException {
        LocalWeir weir = new LocalWeir(data, from);
        try {
            weir.startServices(ports, settings);
            return weir;
        } catch (IOException | RuntimeException e) {
            weir.close();
            throw e;
        }
    }

    private void startServices(LocalPorts ports, Configuration settings) throws IOException {
        int brokerPort = FreePort.orAny(ports.amqp());
        int databasePort = FreePort.orAny(ports.postgres());
        int webPort = FreePort.orAny(ports.flink());
        Secret secret = Secret.kept("weir", data.brokerPasswordFile());
        Configuration local = LocalConfiguration.complete(settings, data.flink(), webPort);
        ExecutorService starters = Executors.newFixedThreadPool(STARTERS);
        CompletableFuture<EmbeddedBroker> brokerStart =
                async(() -> EmbeddedBroker.start(data.broker(), brokerPort, secret), starters);
        CompletableFuture<EmbeddedDatabase> databaseStart =
                async(() -> EmbeddedDatabase.start(data.database(), databasePort), starters);
        CompletableFuture<EmbeddedFlink> flinkStart = async(() -> EmbeddedFlink.start(local), starters);
        starters.shutdown();
        // Waits for all parts before it throws a failure, so that the started ones are stopped.
        CompletableFuture.allOf(brokerStart, databaseStart, flinkStart)
                .handle((nothing, failure) -> failure)
                .join();
        keepIfStarted(brokerStart);
        keepIfStarted(databaseStart);
        keepIfStarted(flinkStart);
        broker = started(brokerStart);
        database = started(databaseStart);
        flink = started(flinkStart);
        Files.createDirectories(data.storage());
        Files.createDirectories(data.datasets());
        dsm = DsmServer.start(dev.weir.dsm.DsmOptions.local(
                        database.jdbcUrl(), database.user(), database.password(), RegisterOptions.at(broker.uri()))
                .withPort(FreePort.orAny(ports.dsm()))
                .withAllowed(List.of(data.datasets(), data.storage())));
        running.push(dsm);
        pointed = pointedAtServices();
        Services.prepare(pointed, from);
        // Workers and feeds that run find a new gateway only where the last one was.
        startGateway(FreePort.orLast(ports.gateway(), Access.portIn(data.gatewayAccessFile())));
    }

    private void startGateway(int port) throws IOException {
        token = Token.random();
        Path tokens = data.gateway().resolve("tokens");
        TokenFile.put(
                tokens,
                new Token(
                        "local", Role.OPERATOR, Token.hash(token), Instant.now().plus(TOKEN_LIFE), Scope.ALL));
        gateway = Gateway.start(GatewayOptions.local(
                        port, database.jdbcUrl(), database.user(), database.password(), broker.uri(), tokens)
                .withAudit(data.gateway().resolve("audit.jsonl"))
                .withLogRoots(data.storage().toAbsolutePath().toString())
                .build());
        running.push(gateway);
        new Access(gateway.url(), token).keep(data.gatewayAccessFile());
    }

    private Configuration pointedAtServices() {
        Configuration pointed = new Configuration(flink.configuration());
        // A complete Weir has queues; the user's configuration may do without.
        if (!pointed.contains(QueueOptions.ENABLED)) {
            pointed.set(QueueOptions.ENABLED, true);
        }
        pointed.set(AmqpOptions.URI, "amqp://127.0.0.1:" + broker.port());
        pointed.set(AmqpOptions.USER, broker.user());
        pointed.set(AmqpOptions.PASSWORD_FILE, data.brokerPasswordFile().toString());
        pointed.set(MirrorOptions.URL, database.jdbcUrl());
        pointed.set(MirrorOptions.USER, database.user());
        pointed.set(MirrorOptions.PASSWORD_FILE, database.passwordFile().toString());
        pointed.set(DsmOptions.URL, dsm.url().toString());
        return pointed;
    }

    /**
     * Starts the jobs.
     *
     * @param waysOut the remedies named in the message about a damaged checkpoint
     */
    public void startJobs(WaysOut waysOut) throws IOException {
        jobs = WeirJobs.submit(flink, pointed, from, waysOut);
        running.push(jobs);
    }

    public DataDirectory data() {
        return data;
    }

    public EmbeddedBroker broker() {
        return broker;
    }

    public DsmServer dsm() {
        return dsm;
    }

    public WeirJobs jobs() {
        return jobs;
    }

    /** The addresses of the services, with passwords. */
    public Addresses addresses() {
        return new Addresses(
                gateway.url().toString(),
                flink.web().toString(),
                broker.uri(),
                database.uri(),
                dsm.url().toString(),
                token);
    }

    /** The database's address for people and logs, without the password. */
    public String databaseShown() {
        return "postgresql://" + database.user() + "@127.0.0.1:" + database.port() + "/" + EmbeddedDatabase.NAME;
    }

    /** The file with the database's password. */
    public Path passwordFile() {
        return database.passwordFile();
    }

    /** Ends the jobs without a last savepoint, which is faster when the directory will not be used again. */
    public void abandonJobs() {
        if (jobs != null) {
            running.remove(jobs);
        }
    }

    /** Stops all parts; a part that fails to stop is logged and does not prevent the stop of the others. */
    @Override
    public void close() {
        // An interrupt is mostly the reason for this stop; it must not keep it from being orderly.
        boolean interrupted = Thread.interrupted();
        while (!running.isEmpty()) {
            try {
                running.pop().close();
            } catch (Exception e) {
                interrupted |= e instanceof InterruptedException;
                LOG.warn("A part of Weir did not stop cleanly: {}", e.getMessage(), e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepIfStarted(CompletableFuture<? extends AutoCloseable> start) {
        if (!start.isCompletedExceptionally()) {
            running.push(start.join());
        }
    }

    private static <T> T started(CompletableFuture<T> start) throws IOException {
        try {
            return start.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }

    /** A start that may throw. */
    private interface Start<T> {
        T start() throws IOException;
    }

    private static <T> CompletableFuture<T> async(Start<T> start, ExecutorService starters) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return start.start();
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                starters);
    }
}
