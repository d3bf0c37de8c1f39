package dev.weir.job.wire;

import dev.weir.protocol.Json;
import dev.weir.protocol.Row;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Version 1: the row as JSON, as on the wire. */
public final class RowSerializer extends MessageSerializer<Row> {

    public static final RowSerializer INSTANCE = new RowSerializer();

    public static final TypeInformation<Row> TYPE = new MessageType<>(Row.class, INSTANCE);

    private static final int VERSION = 1;

    @Override
    public void serialize(Row row, DataOutputView out) throws IOException {
        out.writeByte(VERSION);
        writeBytes(Json.write(row), out);
    }

    @Override
    public Row deserialize(DataInputView in) throws IOException {
        readVersion(in, VERSION, Row.class);
        return Json.readKept(readBytes(in), Row.class);
    }

    @Override
    public TypeSerializerSnapshot<Row> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Written into savepoints. The version byte of each row covers changes within the format. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Row> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
