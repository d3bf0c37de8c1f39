package dev.weir.bench.queue;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.protocol.queue.Item;
import dev.weir.testing.ScratchDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The library db-scheduler, whose workers are threads of this process: without HTTP, groups, owners and leases by token. It locks and
 * fetches batches by priority. Commits do not wait for the disk.
 */
final class DbScheduler implements AutoCloseable {

    private static final int THREADS = 32;
    private static final int ROWS = 1_000;
    private static final int REFILL = 250;
    private static final Duration POLLING = Duration.ofMillis(10);
    private static final List<String> SCHEMA = List.of(
            """
            CREATE TABLE scheduled_tasks (
              task_name text NOT NULL, task_instance text NOT NULL, task_data bytea, execution_time timestamptz NOT NULL, picked boolean NOT NULL,
              picked_by text, last_success timestamptz, last_failure timestamptz, consecutive_failures int, last_heartbeat timestamptz,
              version bigint NOT NULL, priority smallint, state text, PRIMARY KEY (task_name, task_instance))""",
            "CREATE INDEX next_task ON scheduled_tasks (priority DESC, execution_time ASC)",
            "CREATE INDEX task_time ON scheduled_tasks (execution_time)",
            "CREATE INDEX task_heartbeat ON scheduled_tasks (last_heartbeat)");

    private final ScratchDatabase database = ScratchDatabase.create();
    private final HikariDataSource connections;
    private final ExecutorService filler = Executors.newSingleThreadExecutor();
    private final AtomicLong ended = new AtomicLong();
    private final Scans scans = new Scans();
    private final OneTimeTask<byte[]> task = Tasks.oneTime("scan", byte[].class).execute((instance, context) -> end());
    private final Scheduler scheduler;

    DbScheduler() throws SQLException {
        for (String statement : SCHEMA) {
            database.run(statement);
        }
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(database.jdbcUrl());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(8);
        pool.setConnectionInitSql("SET synchronous_commit = off");
        connections = new HikariDataSource(pool);
        scheduler = Scheduler.create(connections, task)
                .threads(THREADS)
                .pollingInterval(POLLING)
                .pollUsingLockAndFetch(1, 8)
                .enablePriority()
                .build();
    }

    private void end() {
        if (ended.incrementAndGet() % REFILL == 0) {
            filler.execute(() -> fill(REFILL));
        }
    }

    void fill(long count) {
        List<TaskInstance<?>> batch = new ArrayList<>();
        for (long i = 1; i <= count; i++) {
            Item item = scans.item();
            batch.add(task.instanceBuilder(item.key())
                    .data(item.payload().json().getBytes(StandardCharsets.UTF_8))
                    .priority(-item.priority())
                    .build());
            if (batch.size() == ROWS || i == count) {
                scheduler.scheduleBatch(batch, Instant.now());
                batch.clear();
            }
        }
    }

    /** How many items its workers end a second. */
    double perSecond(Duration warmUp, Duration time) throws Exception {
        database.run("VACUUM ANALYZE scheduled_tasks");
        scheduler.start();
        TimeUnit.MILLISECONDS.sleep(warmUp.toMillis());
        long before = ended.get();
        long begin = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
        return (ended.get() - before) * 1e9 / (System.nanoTime() - begin);
    }

    @Override
    public void close() throws Exception {
        scheduler.stop();
        filler.shutdown();
        filler.awaitTermination(1, TimeUnit.MINUTES);
        connections.close();
        database.close();
    }
}
