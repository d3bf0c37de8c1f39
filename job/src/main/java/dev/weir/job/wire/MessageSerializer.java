package dev.weir.job.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Base of the serializers of immutable messages. Each writes a version byte before its fields, so that newer versions of Weir can
 * read older savepoints. A reader fails on an unknown version and names it.
 */
abstract class MessageSerializer<T> extends TypeSerializerSingleton<T> {

    @Override
    public final boolean isImmutableType() {
        return true;
    }

    @Override
    public final T createInstance() {
        return null;
    }

    @Override
    public final T copy(T from) {
        return from;
    }

    @Override
    public final T copy(T from, T reuse) {
        return from;
    }

    @Override
    public final T deserialize(T reuse, DataInputView in) throws IOException {
        return deserialize(in);
    }

    @Override
    public final void copy(DataInputView in, DataOutputView out) throws IOException {
        serialize(deserialize(in), out);
    }

    @Override
    public final int getLength() {
        return -1;
    }

    static void writeBytes(byte[] bytes, DataOutputView out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static byte[] readBytes(DataInputView in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    /** Reads the version and checks that it is supported. */
    static int readVersion(DataInputView in, int newest, Class<?> message) throws IOException {
        int version = in.readUnsignedByte();
        if (version < 1 || version > newest) {
            throw new IOException(
                    message.getSimpleName() + " was written in version " + version + ", this Weir reads versions 1 to "
                            + newest + "; restore with the Weir that wrote it, or a newer one");
        }
        return version;
    }
}
