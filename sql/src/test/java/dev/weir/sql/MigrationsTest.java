package dev.weir.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.ScratchDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MigrationsTest {

    private static final int MIGRATIONS = 19;

    private ScratchDatabase database;

    @BeforeEach
    void create() throws SQLException {
        database = ScratchDatabase.create();
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @Test
    void migratingAgainChangesNothingAndBothLayoutsFitInOneDatabase() {
        assertThat(Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password()))
                .isEqualTo(MIGRATIONS);
        assertThat(Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password()))
                .isZero();
        assertThat(Migrations.DSM.apply(database.jdbcUrl(), database.user(), database.password()))
                .isPositive();
        assertThat(Migrations.DSM.apply(database.jdbcUrl(), database.user(), database.password()))
                .isZero();
    }

    @Test
    void theUserInTheAddressCounts() {
        String address = database.jdbcUrl() + "?user=" + database.user() + "&password=" + database.password();

        assertThat(Migrations.WEIR.apply(address, "nobody", "nothing")).isEqualTo(MIGRATIONS);
    }

    @Test
    void programsThatStartTogetherMigrateOnce() throws Exception {
        List<CompletableFuture<Integer>> all = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password())))
                .toList();
        int applied = 0;
        for (CompletableFuture<Integer> one : all) {
            applied += one.get();
        }
        assertThat(applied).isEqualTo(MIGRATIONS);
    }

    @Test
    void aDatabaseThatIsNotThereIsSaidAtOnceWithWhatToDo() {
        assertThatThrownBy(
                        () -> Migrations.WEIR.apply(database.jdbcUrl() + "_not", database.user(), database.password()))
                .hasMessageContaining("_not")
                .hasMessageContaining("createdb");
    }

    @Test
    void theMigrationsRunOnTheEmbeddedDatabaseToo() throws SQLException {
        try (ScratchDatabase embedded = ScratchDatabase.createEmbedded()) {
            assertThat(Migrations.WEIR.apply(embedded.jdbcUrl(), embedded.user(), embedded.password()))
                    .isEqualTo(MIGRATIONS);
            assertThat(embedded.value("SELECT count(*) FROM task_all")).isEqualTo("0");
        }
    }

    @Test
    void anAddressThatIsNoDatabasesIsRefusedAtOnceWithoutItsPassword() {
        assertThatThrownBy(() -> Migrations.WEIR.apply("jdbc:nothing://u:s3cret@h/d?password=s3cret", "u", "p"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("jdbc:postgresql://host:port/name")
                .hasNoCause()
                .hasMessageNotContaining("s3cret");
    }
}
