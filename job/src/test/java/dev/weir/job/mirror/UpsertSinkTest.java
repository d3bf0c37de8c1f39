package dev.weir.job.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.job.wire.RowSerializer;
import dev.weir.protocol.Device;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import dev.weir.sql.Migrations;
import dev.weir.sql.Upserts;
import dev.weir.testing.ScratchDatabase;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer that still has rows when the database goes away, and is closed because its task has failed. */
@Timeout(120)
class UpsertSinkTest {

    private static final Row ROW = new PilotRow(
            "p", "cpu", Device.CPU, "node", 1, 1L, null, PilotRow.State.IDLE, null, 0, 0, null, null, null, 1, false);

    private static final WriterInitContext CONTEXT = (WriterInitContext) Proxy.newProxyInstance(
            UpsertSinkTest.class.getClassLoader(),
            new Class<?>[] {WriterInitContext.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "createInputSerializer" -> RowSerializer.INSTANCE;
                case "isObjectReuseEnabled" -> false;
                case "getRestoredCheckpointId" -> OptionalLong.empty();
                default -> throw new UnsupportedOperationException(method.getName());
            });

    /** Makes a writer with a row that waits for others, and takes its database away. */
    private static SinkWriter<Row> withoutDatabase(java.util.function.Function<Database, JdbcSink<Row>> sink)
            throws Exception {
        SinkWriter<Row> writer;
        try (ScratchDatabase scratch = ScratchDatabase.create()) {
            Migrations.WEIR.apply(scratch.jdbcUrl(), scratch.user(), scratch.password());
            Database database =
                    new Database(scratch.jdbcUrl(), scratch.user(), scratch.password(), 1_000, Duration.ofHours(1));
            writer = sink.apply(database).createWriter(CONTEXT);
            writer.write(ROW, null);
        }
        return writer;
    }

    @Test
    void closingDoesNotFailWhichWouldEndTheTaskManagerAndTheScheduleJobOnIt() throws Exception {
        SinkWriter<Row> writer = withoutDatabase(database -> UpsertSink.of(MirrorTable.PILOT, database));

        assertThatCode(writer::close).doesNotThrowAnyException();
    }

    @Test
    void aBatchThatFailsAtTheEndLeavesNoConnectionOpen() throws Exception {
        try (ScratchDatabase scratch = ScratchDatabase.create()) {
            Migrations.WEIR.apply(scratch.jdbcUrl(), scratch.user(), scratch.password());
            Database database =
                    new Database(scratch.jdbcUrl(), scratch.user(), scratch.password(), 1_000, Duration.ofHours(1));
            SinkWriter<Row> writer = UpsertSink.of(MirrorTable.PILOT, database).createWriter(CONTEXT);
            writer.write(ROW, null);
            scratch.run("ALTER TABLE pilot_dat RENAME TO away");

            writer.close();

            String others = "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
            await().untilAsserted(() -> assertThat(scratch.value(others)).isEqualTo("0"));
        }
    }

    @Test
    void theSinkOfTheLibraryWouldFail() throws Exception {
        SinkWriter<Row> writer = withoutDatabase(database -> JdbcSink.<Row>builder()
                .withQueryStatement(MirrorTable.PILOT.upsert, Upserts::bind)
                .withExecutionOptions(database.batches())
                .buildAtLeastOnce(database.connection()));

        assertThatThrownBy(writer::close).hasMessageContaining("Writing records to JDBC failed");
    }
}
