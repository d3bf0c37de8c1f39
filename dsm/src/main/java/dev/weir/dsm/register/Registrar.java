package dev.weir.dsm.register;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.weir.dsm.catalogue.Registrations;
import dev.weir.protocol.BrokerAddress;
import dev.weir.protocol.InvalidMessage;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes registrations on a thread of its own, until closed. A message is acknowledged after its transaction is committed, so
 * none is lost; a message that is taken twice is recognised by its id. While broker or database are away it tries
 * again with growing pauses and holds at most a prefetch of messages. Nothing that is thrown ends it; {@link #trouble} says
 * when it gets nowhere.
 */
public final class Registrar implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);
    private static final long IDLE_MILLIS = 200;
    private static final long IDLE_CHECK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LAG_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long ASK_NANOS = LAG_NANOS / 4;
    private static final int CONNECT_MILLIS = 5_000;
    private static final long STOP_MILLIS = 15_000;

    /** The client's 64 MiB are less than a broker takes: such a message would close each connection, and come again. */
    private static final int MAX_BODY_BYTES = 512 << 20;

    private final RegisterOptions options;
    private final ConnectionFactory factory = new ConnectionFactory();
    private final Intake intake;
    private final Thread thread = new Thread(this::run, "dsm-registrar");
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong taken = new AtomicLong();
    /** When a batch was settled last, or all was well and none came. */
    private volatile long advancedNanos = System.nanoTime();

    /** What was sent before is in the catalogue: the queue was empty then. Null before the first such moment. */
    private volatile Long caughtUpNanos;

    /** When the broker was asked last whether more waits; of the thread that consumes. */
    private long askedNanos = System.nanoTime() - ASK_NANOS;

    /** Why the last try failed; empty when there has been progress since. */
    private volatile String lastFailure = "";

    public Registrar(RegisterOptions options, Registrations registrations) {
        this(options, new Intake(batch -> registrations.take(batch)));
    }

    Registrar(RegisterOptions options, Intake intake) {
        this.options = options;
        this.intake = intake;
        try {
            URI address = BrokerAddress.parse(options.uri());
            if ("amqps".equalsIgnoreCase(address.getScheme())) {
                // The client library alone would trust any certificate.
                factory.useSslProtocol(SSLContext.getDefault());
                factory.enableHostnameVerification();
            }
            factory.setUri(address);
        } catch (GeneralSecurityException | RuntimeException e) {
            // Neither the address nor a cause that quotes it: it may hold a password.
            throw BrokerAddress.malformed();
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setConnectionTimeout(CONNECT_MILLIS);
        factory.setMaxInboundMessageBodySize(MAX_BODY_BYTES);
    }

    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Messages taken since the start, repeated ones among them. */
    public long taken() {
        return taken.get();
    }

    /** Why no registrations are taken now; empty while they are, or none comes. */
    public Optional<String> trouble() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - advancedNanos);
        if (seconds < options.stalledAfter().toSeconds()) {
            return Optional.empty();
        }
        return Optional.of("registrations have not advanced for " + seconds + " s" + lastFailure);
    }

    /** Why what is not in the catalogue may be registered all the same; empty when all that was sent two seconds ago is there. */
    public Optional<String> lag() {
        Long then = caughtUpNanos;
        if (then == null) {
            return Optional.of("registrations have not been taken yet" + lastFailure);
        }
        long nanos = System.nanoTime() - then;
        return nanos < LAG_NANOS
                ? Optional.empty()
                : Optional.of("registrations are " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s behind" + lastFailure);
    }

    private void run() {
        int failures = 0;
        while (closed.getCount() > 0) {
            long before = taken.get();
            try (Session session = new Session(factory.newConnection("weir dsm"), options)) {
                LOG.info("Consuming registrations from queue {}", options.queue());
                consume(session);
            } catch (InterruptedException e) {
                return;
            } catch (IOException | TimeoutException | SQLException | RuntimeException e) {
                failures = taken.get() > before ? 1 : failures + 1;
                LOG.warn(
                        "Registrations cannot be taken from the broker into the catalogue: {}; trying again",
                        e.toString());
                failed(e, failures);
            } catch (Error e) {
                failures = taken.get() > before ? 1 : failures + 1;
                LOG.error("Taking registrations failed; trying again", e);
                failed(e, failures);
            }
        }
    }

    private void consume(Session session) throws IOException, SQLException, InterruptedException {
        long busyNanos = System.nanoTime();
        while (closed.getCount() > 0) {
            List<Delivery> batch = session.next(IDLE_MILLIS);
            long cameNanos = System.nanoTime();
            boolean isLast = isLast(session, cameNanos);
            if (!batch.isEmpty()) {
                takeAndSettle(session, batch);
            }
            caughtUpNanos = isLast ? (Long) cameNanos : caughtUpNanos;
            if (batch.isEmpty() && System.nanoTime() - busyNanos < IDLE_CHECK_NANOS) {
                // After a failure this is no progress: each new session begins with nothing at hand.
                advancedNanos = lastFailure.isEmpty() ? System.nanoTime() : advancedNanos;
                continue;
            }
            if (batch.isEmpty()) {
                session.checkConsumed();
                intake.checkDatabase();
            }
            busyNanos = System.nanoTime();
            advancedNanos = busyNanos;
            lastFailure = "";
        }
    }

    /** Whether nothing waits behind what has come now; also false between two times at which the broker is asked. */
    private boolean isLast(Session session, long nowNanos) throws IOException {
        if (nowNanos - askedNanos < ASK_NANOS) {
            return false;
        }
        askedNanos = nowNanos;
        return session.isCaughtUp();
    }

    private void takeAndSettle(Session session, List<Delivery> batch) throws IOException, InterruptedException {
        Map<Integer, InvalidMessage> reasons = take(session, batch);
        if (reasons != null) {
            session.settle(batch, reasons);
            taken.addAndGet(batch.size() - reasons.size());
        }
    }

    /** Until the database takes it, or the connection is gone; null when closed meanwhile. */
    private Map<Integer, InvalidMessage> take(Session session, List<Delivery> batch) throws IOException {
        List<byte[]> bodies = batch.stream().map(Delivery::getBody).toList();
        for (int failures = 1; closed.getCount() > 0; failures++) {
            try {
                return intake.take(bodies);
            } catch (SQLException e) {
                LOG.warn("Registrations cannot be written to the catalogue: {}; trying again", e.toString());
                failed(e, failures);
                session.checkOpen();
            }
        }
        return null;
    }

    private void failed(Throwable why, int failures) {
        lastFailure = ": " + why;
        pause(failures);
    }

    private void pause(int failures) {
        double grown = Math.min(
                (double) options.longestPause().toMillis(),
                options.firstPause().toMillis() * Math.pow(2, Math.min(failures - 1, 30)));
        double jittered = grown * (1 - ThreadLocalRandom.current().nextDouble() / 2);
        try {
            if (closed.await((long) jittered, TimeUnit.MILLISECONDS)) {
                LOG.debug("Closed while waiting");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the batch at hand be committed and acknowledged, at most 15 s; what is not is taken by the next DSM. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(STOP_MILLIS);
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
