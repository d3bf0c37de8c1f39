package dev.weir.job.mirror;

import dev.weir.job.intake.Rejections;
import dev.weir.job.wire.Inbound;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.MirrorBatch;
import dev.weir.protocol.Row;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Splits batches and routes each row to its table. A message that is not a batch is rejected. No row passes before the tables are there: so
 * they are made when the database comes, and anew after they were lost, which fails the job.
 */
final class SplitRows extends ProcessFunction<Inbound, Row> {

    private final Database database;
    private final Rejections rejections;

    SplitRows(Database database, Rejections rejections) {
        this.database = database;
        this.rejections = rejections;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        database.migrate();
    }

    @Override
    public void processElement(Inbound message, Context context, Collector<Row> out) {
        try {
            for (Row row : Json.read(message.body(), MirrorBatch.class).rows()) {
                context.output(MirrorTable.of(row).outlet, row);
            }
        } catch (InvalidMessage e) {
            context.output(Rejections.TAG, rejections.of(message, e.field(), e.getMessage()));
        }
    }
}
