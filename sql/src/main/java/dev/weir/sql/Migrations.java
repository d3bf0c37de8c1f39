package dev.weir.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings a database to the newest layout. Several programs may do so at once: all but one wait. */
public enum Migrations {
    /** The mirror: task_dat, job_dat, pilot_dat, file_dat and their archive. */
    WEIR("weir"),
    /** The reference DSM's catalogue; may share a database with the mirror. */
    DSM("dsm");

    /**
     * PostgreSQL's advisory lock that a migrating program holds, and the next one for the other layout, whose migrations may take long; any
     * numbers that no other program uses ("weir" in ASCII).
     */
    private static final long LOCK = 0x77656972L;

    private static final String LOCK_TIMEOUT = "5min";

    /** A table that somebody uses for longer is changed by a later start: until then all who want to read it would wait behind this one. */
    private static final String TABLE_TIMEOUT = "10s";

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final String location;

    Migrations(String location) {
        this.location = location;
    }

    /** The same, and waits for 40 s for a database that is away. */
    public int apply(String jdbcUrl, String user, String password) {
        return apply(jdbcUrl, user, password, PATIENCE);
    }

    /**
     * Applies what is missing, and checks that what was applied is what this program knows.
     *
     * @param jdbcUrl of a database that exists, {@code jdbc:postgresql://host:port/name}
     * @param user who may create tables there
     * @param patience for how long to try again while the database is away
     * @return how many migrations were applied
     * @throws DatabaseAway when it was away all the time, or went; when another program has been migrating this layout for 5 minutes, or uses a
     *     table that must change for 10 seconds: the next start tries again
     * @throws IllegalStateException when the database refuses the user, or is not there
     * @throws FlywayException when its layout is not one that this program knows
     */
    public int apply(String jdbcUrl, String user, String password, Duration patience) {
        Reachable.await(jdbcUrl, user, password, patience);
        // Flyway locks its migrations but not the first look at a database that holds tables of others already.
        String url = Reachable.forLongWork(jdbcUrl);
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '" + LOCK_TIMEOUT + "'");
            statement.execute("SELECT pg_advisory_lock(" + (LOCK + ordinal()) + ")");
            return migrate(url, user, password);
        } catch (SQLException | FlywayException e) {
            if (DatabaseAway.isCause(e)) {
                throw new DatabaseAway(
                        "cannot migrate " + Reachable.withoutParameters(jdbcUrl)
                                + " now, as the database is away, or another program migrates it or uses a table that must"
                                + " change; start again: " + DatabaseAway.said(e),
                        e);
            }
            throw e instanceof FlywayException unknown
                    ? unknown
                    : new IllegalStateException(
                            "cannot migrate " + Reachable.withoutParameters(jdbcUrl) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Waits for a database that is just starting.
     *
     * @throws DatabaseAway when it is away all the time
     * @throws IllegalStateException when it refuses the user, or is not there
     */
    public static void await(String jdbcUrl, String user, String password, Duration patience) {
        Reachable.await(jdbcUrl, user, password, patience);
    }

    private int migrate(String url, String user, String password) {
        return Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(url, user, password)
                .initSql("SET lock_timeout = '" + TABLE_TIMEOUT + "'")
                .locations("classpath:db/migration/" + location)
                .table("flyway_" + location)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate()
                .migrationsExecuted;
    }
}
