package dev.weir.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.testing.ScratchDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A DSM of the first layout goes on while the next one migrates its catalogue. */
class CatalogueMigrationsTest {

    private ScratchDatabase database;

    @BeforeEach
    void createTheFirstLayout() throws SQLException {
        database = ScratchDatabase.create();
        var unused = Flyway.configure()
                .dataSource(database.jdbcUrl(), database.user(), database.password())
                .locations("classpath:db/migration/dsm")
                .table("flyway_dsm")
                .target("1")
                .load()
                .migrate();
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    private int migrate() {
        return Migrations.DSM.apply(database.jdbcUrl(), database.user(), database.password());
    }

    @Test
    void registrationsThatComeMeanwhileAreTaken() throws Exception {
        try (Connection old = database.connect();
                Statement statement = old.createStatement()) {
            old.setAutoCommit(false);
            statement.execute("INSERT INTO dataset (uid) VALUES ('out')");
            CompletableFuture<Integer> migrated = CompletableFuture.supplyAsync(this::migrate);
            await().until(() -> database.value(
                            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'dataset'::regclass")
                    .equals("1"));

            statement.execute("INSERT INTO registration (id, dataset_uid) VALUES ('a/1/out', 'out')");
            old.commit();

            assertThat(migrated.get(1, TimeUnit.MINUTES)).isEqualTo(3);
        }
        assertThat(database.value("SELECT id FROM registration")).isEqualTo("a/1/out");
    }

    @Test
    void aReaderThatStreamsHoldsUpAStartOnlyForALittle() throws SQLException {
        try (Connection reader = database.connect();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT FROM dataset");

            assertThatThrownBy(this::migrate)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("start again");
        }
        assertThat(migrate()).isEqualTo(2);
    }
}
