package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {

    @TempDir
    Path directory;

    @Test
    void rowsAreThereAfterARestartAndTheServerIsGoneBetween() throws Exception {
        ProcessHandle first;
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory, FreePort.any())) {
            execute(database, "CREATE TABLE task_dat (uid text)", "INSERT INTO task_dat VALUES ('t1')");
            first = Postmaster.of(directory.resolve("data"));
        }
        assertThat(first.isAlive()).isFalse();
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory, FreePort.any())) {
            assertThat(text(database, "SELECT uid FROM task_dat")).isEqualTo("t1");
        }
    }

    @Test
    void aServerLeftByAKilledProcessIsStoppedAndItsDataIsUsed() throws Exception {
        EmbeddedDatabase left = EmbeddedDatabase.start(directory, FreePort.any());
        execute(left, "CREATE TABLE task_dat (uid text)", "INSERT INTO task_dat VALUES ('t1')");
        ProcessHandle process = Postmaster.of(directory.resolve("data"));

        Postmaster.stopLeftover(directory.resolve("data"));

        assertThat(process.isAlive()).isFalse();
        left.close();
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory, FreePort.any())) {
            assertThat(text(database, "SELECT uid FROM task_dat")).isEqualTo("t1");
        }
    }

    @Test
    void aPidFileWithThePidOfAnotherProcessDoesNotPreventTheStart() throws Exception {
        EmbeddedDatabase.start(directory, FreePort.any()).close();
        Files.writeString(
                directory.resolve("data/postmaster.pid"),
                ProcessHandle.current().pid() + "\n");
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory, FreePort.any())) {
            assertThat(text(database, "SELECT current_user")).isEqualTo("weir");
        }
    }

    @Test
    void aServerOfAnotherDirectoryIsLeftAloneThoughThePidFileNamesIt() throws Exception {
        Path own = directory.resolve("own");
        EmbeddedDatabase.start(own, FreePort.any()).close();
        try (EmbeddedDatabase other = EmbeddedDatabase.start(directory.resolve("other"), FreePort.any())) {
            ProcessHandle server = Postmaster.of(directory.resolve("other/data"));
            Files.writeString(own.resolve("data/postmaster.pid"), server.pid() + "\n");

            Postmaster.stopLeftover(own.resolve("data"));

            assertThat(server.isAlive()).isTrue();
            assertThat(text(other, "SELECT current_user")).isEqualTo("weir");
            assertThat(own.resolve("data/postmaster.pid")).doesNotExist();
        }
    }

    @Test
    void anIncompletePidFileIsRemoved() throws Exception {
        Files.createDirectories(directory.resolve("data"));
        Files.writeString(directory.resolve("data/postmaster.pid"), "");

        Postmaster.stopLeftover(directory.resolve("data"));

        assertThat(directory.resolve("data/postmaster.pid")).doesNotExist();
    }

    @Test
    void everyConnectionNeedsThePassword() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory, FreePort.any())) {
            assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "postgres", "guess")
                            .close())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("authentication failed");
        }
    }

    @Test
    void theLastWillIsCarriedOutWhenThePipeBreaksAndNotWhenItIsRevoked() throws Exception {
        Process orphan = sleep();
        Process kept = sleep();
        try {
            LastWill.interrupt(kept.pid()).revoke();
            LastWill.interrupt(orphan.pid()).breakPipe();

            await().untilAsserted(() -> assertThat(orphan.isAlive()).isFalse());
            assertThat(kept.isAlive()).isTrue();
        } finally {
            orphan.destroyForcibly();
            kept.destroyForcibly();
        }
    }

    /** One that minds SIGINT, as a database does, also when a shell has started these tests in the background and so made them deaf to it. */
    private static Process sleep() throws IOException {
        return new ProcessBuilder("env", "--default-signal=INT", "sleep", "600").start();
    }

    private static void execute(EmbeddedDatabase database, String... statements) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String text(EmbeddedDatabase database, String query) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Connection connect(EmbeddedDatabase database) throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    }
}
