package dev.weir.engine.store;

import java.io.IOException;

/**
 * A named map from strings to values, with the form of its values as bytes: a version byte, then what the codec writes.
 *
 * @param name stable: a savepoint knows the table by it
 * @param <V> the value's type
 */
public record Table<V>(String name, Codec<V> codec) {

    private V read(ByteSource in) throws IOException {
        int version = in.readByte();
        if (version < 1) {
            throw new IOException("its version is " + version);
        }
        if (version > codec.version()) {
            // All values may be so, and sound.
            throw new NewerVersion("table " + name + " has a value of version " + version + ", this program knows 1 to "
                    + codec.version() + ": run the version of Weir that wrote it, or a newer one");
        }
        return codec.read(version, in);
    }

    public byte[] encode(V value) {
        ByteSink sink = new ByteSink(256);
        encode(value, sink);
        return sink.toByteArray();
    }

    /** Appends version and value to a sink. */
    public void encode(V value, ByteSink sink) {
        sink.writeByte(codec.version());
        codec.write(value, sink);
    }

    /** Throws {@link DamagedValue} when the bytes make no sense, {@link NewerVersion} when a newer program wrote them. */
    public V decode(byte[] bytes) {
        try {
            return read(new ByteSource(bytes, 0));
        } catch (NewerVersion e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new DamagedValue(this, e);
        }
    }

    @Override
    public String toString() {
        return "table " + name;
    }
}
