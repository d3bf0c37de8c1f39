package dev.weir.connectors.rabbitmq.source.enumerator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Version 1: the number of queues, then length and UTF-8 of each name, sorted. */
@Internal
public final class EnumeratorStateSerializer implements SimpleVersionedSerializer<EnumeratorState> {

    static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(EnumeratorState state) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        List<String> queues = state.assigned().stream().sorted().toList();
        out.writeInt(queues.size());
        for (String queue : queues) {
            byte[] name = queue.getBytes(StandardCharsets.UTF_8);
            out.writeInt(name.length);
            out.write(name);
        }
        return out.getCopyOfBuffer();
    }

    @Override
    public EnumeratorState deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException("The enumerator's state has version " + version + ", but this connector reads only "
                    + VERSION + "; restore with the version that wrote it");
        }
        DataInputDeserializer in = new DataInputDeserializer(serialized);
        int count = in.readInt();
        Set<String> queues = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[in.readInt()];
            in.readFully(name);
            queues.add(new String(name, StandardCharsets.UTF_8));
        }
        return new EnumeratorState(queues);
    }
}
