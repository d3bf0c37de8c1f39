package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.queue.Again;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** How values are written that several records have. */
final class Values {

    private Values() {}

    static void writeAgain(ByteSink out, Again again) {
        out.writeBoolean(again != null);
        if (again != null) {
            writeInt(out, again.afterS());
            writeInt(out, again.everyS());
            Wire.writeString(out, again.cron());
            Wire.writeString(out, again.zone());
            writeInt(out, again.minS());
            writeInt(out, again.maxS());
            writeInt(out, again.jitterS());
        }
    }

    static Again readAgain(ByteSource in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        return new Again(
                readInt(in),
                readInt(in),
                Wire.readString(in),
                Wire.readString(in),
                readInt(in),
                readInt(in),
                readInt(in));
    }

    private static void writeInt(ByteSink out, Integer value) {
        Wire.writeOptional(out, value == null ? null : Long.valueOf(value));
    }

    private static Integer readInt(ByteSource in) throws IOException {
        Long value = Wire.readOptional(in);
        return value == null ? null : value.intValue();
    }

    static void writeFacts(ByteSink out, Map<String, Double> facts) {
        Wire.writeLong(out, facts.size());
        facts.forEach((name, value) -> {
            Wire.writeString(out, name);
            Wire.writeLong(out, Double.doubleToLongBits(value));
        });
    }

    static Map<String, Double> readFacts(ByteSource in) throws IOException {
        int size = Wire.readInt(in);
        Map<String, Double> facts = new HashMap<>();
        for (int i = 0; i < size; i++) {
            String name = Wire.readString(in);
            facts.put(name, Double.longBitsToDouble(Wire.readLong(in)));
        }
        return Map.copyOf(facts);
    }
}
