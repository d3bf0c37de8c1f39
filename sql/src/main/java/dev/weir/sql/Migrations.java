package dev.weir.sql;

import org.flywaydb.core.Flyway;

/** Brings a database to the newest layout. Several programs may do so at once: all but one wait. */
public enum Migrations {
    /** The mirror: task_dat, job_dat, pilot_dat, file_dat and their archive. */
    WEIR("weir"),
    /** The reference DSM's catalogue; may share a database with the mirror. */
    DSM("dsm");

    private final String location;

    Migrations(String location) {
        this.location = location;
    }

    /**
     * Applies what is missing, and checks that what was applied is what this program knows.
     *
     * @param jdbcUrl of a database that exists, {@code jdbc:postgresql://host:port/name}
     * @param user who may create tables there
     * @return how many migrations were applied
     * @throws IllegalStateException when the database does not answer within 40 s, refuses the user, or is not there
     * @throws org.flywaydb.core.api.FlywayException when its layout is not one that this program knows
     */
    public int apply(String jdbcUrl, String user, String password) {
        Reachable.await(jdbcUrl, user, password);
        return Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(jdbcUrl, user, password)
                .locations("classpath:db/migration/" + location)
                .table("flyway_" + location)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate()
                .migrationsExecuted;
    }
}
