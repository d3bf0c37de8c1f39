package dev.weir.bench.gateway;

import dev.weir.sql.Migrations;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A mirror full of rows, as {@code mirror.sql} describes them. For one thread.
 *
 * @param tasks how many there are
 * @param jobs of all tasks together
 * @param largest jobs of task 0 and of task 1; each of the next twenty has a tenth of it
 * @param smallest jobs of the other tasks that have any
 */
record LoadedMirror(ScratchDatabase database, long tasks, long jobs, long largest, long smallest)
        implements AutoCloseable {

    private static final String ROWS = "/gateway/mirror.sql";

    /** Most rows of so large a mirror are months old: to write them to disk is no part of what is measured. */
    private static final String WRITE_OUT =
            "DO $$ BEGIN CHECKPOINT; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$";

    /** The first ones, of which those with an odd number lie in the archive. */
    static final int LARGE_TASKS = 22;

    /**
     * @param kept the name of a database that is filled if it is empty, and stays; one is made and dropped without it
     * @throws IllegalStateException when the kept one has another number of tasks
     */
    static LoadedMirror open(Optional<String> kept, long tasks, long jobs) throws SQLException, IOException {
        ScratchDatabase database = kept.isPresent() ? ScratchDatabase.kept(kept.get()) : ScratchDatabase.create();
        try {
            Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password());
            if (database.value("SELECT to_regclass('bench_task')") == null) {
                database.run(rows(tasks, jobs));
                database.run("VACUUM ANALYZE");
                database.run(WRITE_OUT);
            }
            long found = Long.parseLong(database.value("SELECT count(*) FROM bench_task"));
            if (found != tasks) {
                throw new IllegalStateException("the database " + kept.orElse("") + " holds " + found + " tasks, not "
                        + tasks + "; drop it, or give another name with --database");
            }
            return new LoadedMirror(
                    database,
                    tasks,
                    Long.parseLong(database.value("SELECT sum(jobs)::bigint FROM bench_task")),
                    Long.parseLong(database.value("SELECT max(jobs) FROM bench_task")),
                    Long.parseLong(database.value("SELECT min(jobs) FROM bench_task WHERE jobs > 0")));
        } catch (RuntimeException | SQLException | IOException e) {
            database.close();
            throw e;
        }
    }

    private static String rows(long tasks, long jobs) throws IOException {
        try (InputStream in = LoadedMirror.class.getResourceAsStream(ROWS)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${tasks}", Long.toString(tasks))
                    .replace("${jobs}", jobs + "::bigint");
        }
    }

    static String taskUid(long number) {
        return "bench-%06d".formatted(number);
    }

    /** Whether the task waits for a slot, so that it has no jobs. */
    static boolean waits(long task) {
        return task >= LARGE_TASKS && task % 10 == 0;
    }

    /** Of a task that does not wait. */
    long jobsOf(long task) {
        return task < 2 ? largest : task < LARGE_TASKS ? largest / 10 : smallest;
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
