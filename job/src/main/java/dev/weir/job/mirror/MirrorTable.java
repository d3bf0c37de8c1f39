package dev.weir.job.mirror;

import dev.weir.job.wire.RowSerializer;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.LimitRow;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;
import dev.weir.sql.Upserts;
import org.apache.flink.connector.jdbc.JdbcStatementBuilder;
import org.apache.flink.util.OutputTag;

/** A table of the mirror, with the type of its rows and its upsert statement. */
enum MirrorTable {
    TASK("task_dat", TaskRow.class, Upserts.TASK, (statement, row) -> Upserts.bind(statement, (TaskRow) row)),
    JOB("job_dat", JobRow.class, Upserts.JOB, (statement, row) -> Upserts.bind(statement, (JobRow) row)),
    PILOT("pilot_dat", PilotRow.class, Upserts.PILOT, (statement, row) -> Upserts.bind(statement, (PilotRow) row)),
    FILE("file_dat", FileRow.class, Upserts.FILE, (statement, row) -> Upserts.bind(statement, (FileRow) row)),
    LIMIT("limit_dat", LimitRow.class, Upserts.LIMIT, (statement, row) -> Upserts.bind(statement, (LimitRow) row)),
    COMMAND(
            "command_dat",
            CommandRow.class,
            Upserts.COMMAND,
            (statement, row) -> Upserts.bind(statement, (CommandRow) row));

    final String table;
    final String upsert;
    final JdbcStatementBuilder<Row> binder;
    final OutputTag<Row> outlet;
    private final Class<? extends Row> rows;

    MirrorTable(String table, Class<? extends Row> rows, String upsert, JdbcStatementBuilder<Row> binder) {
        this.table = table;
        this.rows = rows;
        this.upsert = upsert;
        this.binder = binder;
        this.outlet = new OutputTag<>(table, RowSerializer.TYPE);
    }

    static MirrorTable of(Row row) {
        for (MirrorTable table : values()) {
            if (table.rows.isInstance(row)) {
                return table;
            }
        }
        throw new IllegalArgumentException("no table for " + row.getClass().getName());
    }
}
