package dev.weir.job;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.job.amqp.Broker;
import dev.weir.job.amqp.OneWeir;
import dev.weir.job.amqp.WeirTopology;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.Secrets;
import dev.weir.job.options.Settings;
import dev.weir.job.start.JobStart;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.StartMark;
import dev.weir.job.start.WeirJob;
import dev.weir.sql.ArchiveRoom;
import dev.weir.sql.DatabaseAway;
import dev.weir.sql.Migrations;
import dev.weir.sql.OpenTasks;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prepares the services before the jobs start: the broker's queues and exchanges, and the mirror's tables. */
public final class Services {

    private static final Logger LOG = LoggerFactory.getLogger(Services.class);
    private static final int CONNECTION_TIMEOUT_MILLIS = 10_000;

    /** For a database that starts with this process, as after a power cut: what it says of earlier starts protects their state. */
    private static final Duration STARTING_DATABASE = Duration.ofSeconds(10);

    /** A TaskManager notices within a minute that its JobManager is gone; a broker notices a lost machine earlier. */
    private static final Duration LAST_OF_AN_EARLIER_START = Duration.ofMinutes(2);

    private Services() {}

    /** The same for all of Weir's jobs. */
    public static void prepare(Configuration configuration, StartFrom from) throws IOException {
        prepare(configuration, from, WeirJob.of(configuration));
    }

    /**
     * Declares and migrates what is missing, checks that no other Weir runs on this virtual host, and marks the state of the jobs as theirs. Can
     * be repeated at any time. A database that is away stops no start from a checkpoint: the mirror
     * job makes its tables when it is back.
     *
     * @param from the requested starting points of the jobs
     * @param jobs that are about to start: what only others need is left alone
     * @throws IllegalArgumentException when a setting is invalid
     * @throws IllegalStateException when the database refuses the user, is not there, or has a layout that this program does not know
     * @throws IOException when the broker does not answer, another Weir runs or has run since with other state, or state is missing for tasks
     *     that the mirror shows as open; the message says which
     */
    public static void prepare(Configuration configuration, StartFrom from, List<WeirJob> jobs) throws IOException {
        prepare(configuration, from, jobs, STARTING_DATABASE);
    }

    /**
     * The same.
     *
     * @param patience for how long it waits for a database that is away
     */
    static void prepare(Configuration configuration, StartFrom from, List<WeirJob> jobs, Duration patience)
            throws IOException {
        Settings.check(configuration);
        boolean beginning =
                jobs.contains(WeirJob.SCHEDULE) && JobStart.isBeginning(WeirJob.SCHEDULE, configuration, from);
        boolean queuesBegin =
                jobs.contains(WeirJob.QUEUES) && JobStart.isBeginning(WeirJob.QUEUES, configuration, from);
        boolean asksDatabase = configuration.get(MirrorOptions.ENABLED) && !from.acceptLoss();
        if (jobs.contains(WeirJob.MIRROR)) {
            migrate(configuration, patience);
        } else if (asksDatabase && (beginning || queuesBegin)) {
            awaitDatabase(configuration, patience);
        }
        if (asksDatabase && beginning) {
            requireNoOpenTasks(configuration);
        }
        List<StartMark> marks = new ArrayList<>();
        for (WeirJob job : List.of(WeirJob.SCHEDULE, WeirJob.QUEUES)) {
            if (jobs.contains(job)) {
                StartMark.check(job, configuration, from).ifPresent(marks::add);
            }
        }
        if (jobs.contains(WeirJob.SCHEDULE)) {
            prepareBroker(configuration, OneWeir.READ_BY_SCHEDULE, beginning);
        }
        if (jobs.contains(WeirJob.QUEUES)) {
            prepareBroker(configuration, OneWeir.READ_BY_QUEUES, queuesBegin);
        }
        // Not before: until here another Weir may still be the one that has the state.
        for (StartMark mark : marks) {
            mark.put();
        }
    }

    private static void migrate(Configuration configuration, Duration patience) {
        try {
            var unused = Migrations.WEIR.apply(
                    configuration.get(MirrorOptions.URL),
                    configuration.get(MirrorOptions.USER),
                    password(configuration),
                    patience);
            tellRoomForTheArchive(configuration);
        } catch (DatabaseAway e) {
            LOG.warn(
                    "The jobs start without the mirror, which catches up when its database is back: {}",
                    e.getMessage());
        }
    }

    /** It may just be starting. One that stays away is for {@link StartMark} to refuse. */
    private static void awaitDatabase(Configuration configuration, Duration patience) {
        try {
            Migrations.await(
                    configuration.get(MirrorOptions.URL),
                    configuration.get(MirrorOptions.USER),
                    password(configuration),
                    patience);
        } catch (DatabaseAway e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    private static String password(Configuration configuration) {
        return Secrets.read(configuration, MirrorOptions.PASSWORD_FILE, MirrorOptions.PASSWORD);
    }

    /** Only readers need it, so it stops no start. */
    private static void tellRoomForTheArchive(Configuration configuration) {
        ArchiveRoom room;
        try {
            room = ArchiveRoom.of(
                    configuration.get(MirrorOptions.URL),
                    configuration.get(MirrorOptions.USER),
                    password(configuration));
        } catch (SQLException e) {
            LOG.warn(
                    "The database does not say how many locks it has, of which each day of archive needs some: {}",
                    e.getMessage());
            return;
        }
        int days = configuration.get(MirrorOptions.ARCHIVE_DAYS);
        if (days > room.days()) {
            LOG.error(
                    "{} is {}, but PostgreSQL has locks for lists over {} days, and the gateway's lists fail where there are more: set its"
                            + " max_locks_per_transaction to {} and start it anew, or keep fewer days",
                    MirrorOptions.ARCHIVE_DAYS.key(),
                    days,
                    room.days(),
                    room.locksFor(days));
        }
    }

    /** A directory that is not mounted looks like one that was never used: the mirror remembers what ran before. */
    private static void requireNoOpenTasks(Configuration configuration) throws IOException {
        Optional<OpenTasks> open;
        try {
            open = OpenTasks.in(
                    configuration.get(MirrorOptions.URL),
                    configuration.get(MirrorOptions.USER),
                    password(configuration));
        } catch (SQLException e) {
            throw StartMark.cannotTell(WeirJob.SCHEDULE, configuration, e);
        }
        if (open.isPresent()) {
            throw new IOException("there is no checkpoint below "
                    + configuration.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY) + ", so Weir would start with empty"
                    + " state, but the database shows " + open.get().count() + " open tasks, such as "
                    + open.get().newest() + ", which would be lost. Mount that directory, or set "
                    + CheckpointingOptions.CHECKPOINTS_DIRECTORY.key() + " to the one of these tasks. To begin without"
                    + " them, start once with --accept-loss; where the jobs are submitted, only this one, with --job "
                    + WeirJob.SCHEDULE.name() + " (--fresh takes the state of all jobs away)");
        }
    }

    /**
     * @param readByOne options of the queues that only one Weir may read
     * @param beginning whether this Weir has no state: it can only be another one than that whose consumers it meets
     */
    private static void prepareBroker(
            Configuration configuration, List<ConfigOption<String>> readByOne, boolean beginning) throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        Optional<String> inTheWay;
        factory.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        try {
            factory.setUri(Broker.uri(configuration));
            if (factory.isSSL()) {
                factory.useSslProtocol(javax.net.ssl.SSLContext.getDefault());
                factory.enableHostnameVerification();
            }
            try (Connection connection = factory.newConnection("weir topology")) {
                if (configuration.get(AmqpOptions.DECLARE)) {
                    WeirTopology.declare(connection, configuration);
                }
                inTheWay = OneWeir.inTheWay(
                        connection, configuration, readByOne, beginning ? Duration.ZERO : LAST_OF_AN_EARLIER_START);
            }
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IOException(AmqpOptions.URI.key() + " is not a usable address of a broker", e);
        } catch (TimeoutException | IOException e) {
            throw new IOException(
                    "the broker at " + factory.getHost() + ":" + factory.getPort() + " (virtual host "
                            + factory.getVirtualHost() + ", user " + factory.getUsername() + ") cannot be used: "
                            + Reason.of(e),
                    e);
        }
        if (inTheWay.isPresent()) {
            throw new IOException("at " + factory.getHost() + ":" + factory.getPort() + " (virtual host "
                    + factory.getVirtualHost() + ") " + inTheWay.get() + ": another Weir seems to run there, and two"
                    + " would take each other's messages. Stop the other, or use a separate virtual host for this one"
                    + (beginning
                            ? ". This one would start with empty state, so it does not wait to take over: the open tasks of the"
                                    + " other would be lost. To continue them, name its checkpoint directory"
                            : ""));
        }
    }
}
