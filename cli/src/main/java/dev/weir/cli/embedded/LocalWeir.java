package dev.weir.cli.embedded;

import dev.weir.dsm.DsmServer;
import dev.weir.dsm.register.RegisterOptions;
import dev.weir.job.Services;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.DsmOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WaysOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * All of Weir in this process and on this machine: broker, database, DSM, Flink with both jobs. Started side by side where
 * nothing forbids it, and stopped in the opposite order, so that each can still finish what it does.
 */
public final class LocalWeir implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalWeir.class);

    /** Broker, database and Flink start at the same time. */
    private static final int STARTERS = 3;

    private final DataDirectory data;

    /** What runs, the youngest first. */
    private final Deque<AutoCloseable> running = new ArrayDeque<>();

    private EmbeddedBroker broker;
    private EmbeddedDatabase database;
    private EmbeddedFlink flink;
    private DsmServer dsm;
    private Configuration pointed;
    private WeirJobs jobs;

    private LocalWeir(DataDirectory data) {
        this.data = data;
    }

    /**
     * Starts the services, going on with what they left in the directory, and makes queues and tables; the jobs only start with
     * {@link #startJobs}.
     *
     * @param settings what the user configured beyond where our own services are
     * @throws IOException when a part does not start; those that did are stopped
     */
    public static LocalWeir start(DataDirectory data, LocalPorts ports, Configuration settings) throws IOException {
        LocalWeir weir = new LocalWeir(data);
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
        // All are waited for before a failure is thrown, so that what did start is stopped.
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
        Services.prepare(pointed);
    }

    private Configuration pointedAtServices() {
        Configuration pointed = new Configuration(flink.configuration());
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
     * Starts the two jobs; each goes on from its newest complete checkpoint, if it has left one.
     *
     * @param waysOut for the message when that is damaged
     */
    public void startJobs(WaysOut waysOut) throws IOException {
        jobs = WeirJobs.submit(flink, pointed, StartFrom.NEWEST, waysOut);
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

    /** Where everything is; with passwords. */
    public Addresses addresses() {
        return new Addresses(
                null,
                flink.web().toString(),
                broker.uri(),
                database.uri(),
                dsm.url().toString(),
                null);
    }

    /** The database for people and logs: without the password. */
    public String databaseShown() {
        return "postgresql://" + database.user() + "@127.0.0.1:" + database.port() + "/" + EmbeddedDatabase.NAME;
    }

    /** Where the database's password is. */
    public Path passwordFile() {
        return database.passwordFile();
    }

    /** Lets the jobs end without a last savepoint: quicker, for those who never come back to this directory. */
    public void abandonJobs() {
        if (jobs != null) {
            running.remove(jobs);
        }
    }

    /** Stops everything; what fails to stop is logged and does not keep the rest running. */
    @Override
    public void close() {
        // An interrupt is mostly the reason for this stop; it must not keep it from being orderly.
        boolean interrupted = Thread.interrupted();
        while (!running.isEmpty()) {
            try {
                running.pop().close();
            } catch (Exception e) {
                interrupted |= e instanceof InterruptedException;
                LOG.warn("a part of Weir did not stop cleanly: {}", e.getMessage(), e);
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

    /** What may throw while it starts. */
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
