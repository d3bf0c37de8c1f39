package dev.weir.engine.store;

import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.io.IOException;

/** Keeps messages as received: their JSON evolves as on the wire. For values that are written once. */
public final class JsonCodec<V> implements Codec<V> {

    private final Class<V> type;

    public JsonCodec(Class<V> type) {
        this.type = type;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(V value, ByteSink out) {
        Wire.writeBytes(out, Json.write(value));
    }

    @Override
    public V read(int version, ByteSource in) throws IOException {
        try {
            return Json.readKept(Wire.readBytes(in), type);
        } catch (InvalidMessage e) {
            throw new IOException("a kept " + type.getSimpleName() + " can't be read: " + e.getMessage(), e);
        }
    }
}
