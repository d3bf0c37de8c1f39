package dev.weir.job.mirror;

import dev.weir.job.wire.RowSerializer;
import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.LimitRow;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;
import dev.weir.sql.Upserts;
import org.apache.flink.util.OutputTag;

/** A table of the mirror, with the type of its rows and its upsert statement. */
enum MirrorTable {
    TASK("task_dat", TaskRow.class, Upserts.TASK),
    JOB("job_dat", JobRow.class, Upserts.JOB),
    ATTEMPT("attempt_dat", AttemptRow.class, Upserts.ATTEMPT),
    PILOT("pilot_dat", PilotRow.class, Upserts.PILOT),
    FILE("file_dat", FileRow.class, Upserts.FILE),
    LIMIT("limit_dat", LimitRow.class, Upserts.LIMIT),
    COMMAND("command_dat", CommandRow.class, Upserts.COMMAND);

    final String table;
    final String upsert;
    final OutputTag<Row> outlet;
    private final Class<? extends Row> rows;

    MirrorTable(String table, Class<? extends Row> rows, String upsert) {
        this.table = table;
        this.rows = rows;
        this.upsert = upsert;
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
