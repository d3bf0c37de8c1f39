package dev.weir.connectors.rabbitmq.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Version 1: the number of messages, then for each exchange, routing key, the properties in AMQP's own encoding (a
 * content header frame), and the body.
 */
final class MessageBatchSerializer implements SimpleVersionedSerializer<MessageBatch> {

    static final int VERSION = 1;

    private final boolean ofState;

    MessageBatchSerializer() {
        this(false);
    }

    /**
     * A serializer.
     *
     * @param ofState whether what it reads comes from a checkpoint; not so if it only travels from one task to another
     */
    MessageBatchSerializer(boolean ofState) {
        this.ofState = ofState;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(MessageBatch batch) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(batch.messages().size());
        for (AmqpMessage message : batch.messages()) {
            out.writeUTF(message.exchange());
            out.writeUTF(message.routingKey());
            writeBytes(out, header(message));
            writeBytes(out, message.body());
        }
        return bytes.toByteArray();
    }

    @Override
    public MessageBatch deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException("Messages kept in state have version " + version + ", but this connector reads only "
                    + VERSION + "; restore with the version that wrote them");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
        int count = in.readInt();
        List<AmqpMessage> messages = new ArrayList<>(Math.min(count, 10_000));
        for (int i = 0; i < count; i++) {
            String exchange = in.readUTF();
            String routingKey = in.readUTF();
            DataInputStream header = new DataInputStream(new ByteArrayInputStream(readBytes(in)));
            BasicProperties properties = new BasicProperties(header);
            messages.add(new AmqpMessage(exchange, routingKey, properties, readBytes(in)));
        }
        return new MessageBatch(messages, ofState);
    }

    /** Why AMQP cannot carry a message; null if it can. */
    @Nullable static String whyUnencodable(AmqpMessage message) {
        try {
            var unused = header(message);
            return null;
        } catch (IOException | RuntimeException e) {
            return "it cannot be encoded: " + e;
        }
    }

    /** As a content header frame without its class: weight (always 0), body size, flags, values. */
    private static byte[] header(AmqpMessage message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(0);
        out.writeLong(message.body().length);
        message.properties().writePropertiesTo(new ContentHeaderPropertyWriter(out));
        out.flush();
        return bytes.toByteArray();
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length != length) {
            throw new IOException(
                    "Messages kept in state end early: " + length + " bytes expected, " + bytes.length + " there");
        }
        return bytes;
    }
}
