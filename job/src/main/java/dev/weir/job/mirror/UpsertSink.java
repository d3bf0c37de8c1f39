package dev.weir.job.mirror;

import dev.weir.protocol.Row;
import dev.weir.sql.Upserts;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.jdbc.JdbcExactlyOnceOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSink;
import org.apache.flink.connector.jdbc.core.datastream.sink.writer.JdbcWriter;
import org.apache.flink.connector.jdbc.core.datastream.sink.writer.JdbcWriterState;
import org.apache.flink.connector.jdbc.datasource.connections.JdbcConnectionProvider;
import org.apache.flink.connector.jdbc.datasource.connections.SimpleJdbcConnectionProvider;
import org.apache.flink.connector.jdbc.datasource.statements.JdbcQueryStatement;
import org.apache.flink.connector.jdbc.datasource.statements.SimpleJdbcQueryStatement;
import org.apache.flink.connector.jdbc.internal.JdbcOutputSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of one table, at least once. Unlike the library's sink, its writers never fail in {@code close}: Flink takes an
 * exception there, after the task has failed, for a fatal error, and ends the TaskManager with every job on it.
 */
final class UpsertSink extends JdbcSink<Row> {

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(UpsertSink.class);
    private static final DeliveryGuarantee GUARANTEE = DeliveryGuarantee.AT_LEAST_ONCE;

    private final String table;
    private final JdbcConnectionProvider connections;
    private final JdbcExecutionOptions batches;
    private final JdbcQueryStatement<Row> statement;

    static UpsertSink of(MirrorTable table, Database database) {
        return new UpsertSink(
                table.table,
                new SimpleJdbcConnectionProvider(database.connection()),
                database.batches(),
                new SimpleJdbcQueryStatement<>(table.upsert, Upserts::bind));
    }

    private UpsertSink(
            String table,
            JdbcConnectionProvider connections,
            JdbcExecutionOptions batches,
            JdbcQueryStatement<Row> statement) {
        super(GUARANTEE, connections, batches, JdbcExactlyOnceOptions.defaults(), statement);
        this.table = table;
        this.connections = connections;
        this.batches = batches;
        this.statement = statement;
    }

    @Override
    public JdbcWriter<Row> restoreWriter(WriterInitContext context, Collection<JdbcWriterState> state)
            throws IOException {
        JdbcOutputSerializer<Row> serializer =
                JdbcOutputSerializer.of(context.createInputSerializer(), context.isObjectReuseEnabled());
        return new JdbcWriter<>(
                connections,
                batches,
                JdbcExactlyOnceOptions.defaults(),
                statement,
                serializer,
                GUARANTEE,
                state,
                context) {
            @Override
            public void close() {
                try {
                    super.close();
                } catch (Exception e) {
                    // No row is lost: a checkpoint has flushed before, and what came since is read again.
                    LOG.warn("The last rows of {} were not written at the end; they are read again", table, e);
                } finally {
                    // The library skips this when its last batch fails, and each restart would leave a connection
                    // behind.
                    connections.closeConnection();
                }
            }
        };
    }
}
