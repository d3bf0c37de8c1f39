package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.mirror.Mirror;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Before a database that is slow for those who read. */
@Timeout(60)
class HealthTest {

    private static final int CONNECTIONS = 16;
    /** The queries of the others are ended after five. */
    private static final int MOST_SECONDS = 3;

    @Test
    void theDatabaseIsCheckedWithoutAWaitWhileAllConnectionsAreHeldBySlowQueries(@TempDir Path directory)
            throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (TestGateway gateway = TestGateway.start(directory);
                Mirror mirror = Mirror.of(gateway.options, new SimpleMeterRegistry());
                Connection other = DriverManager.getConnection(
                        gateway.database.jdbcUrl(), gateway.database.user(), gateway.database.password())) {
            mirror.check();
            other.setAutoCommit(false);
            other.createStatement().execute("LOCK TABLE job_dat IN ACCESS EXCLUSIVE MODE");
            for (int i = 0; i < CONNECTIONS + 4; i++) {
                var unused = threads.submit(() -> mirror.job("t.1"));
            }
            await().atMost(4, TimeUnit.SECONDS)
                    .until(
                            () -> gateway.database.value(
                                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
                            String.valueOf(CONNECTIONS)::equals);

            assertThat(threads.submit(() -> {
                                mirror.check();
                                return true;
                            })
                            .get(MOST_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            threads.shutdownNow();
        }
    }
}
