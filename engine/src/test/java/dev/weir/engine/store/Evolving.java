package dev.weir.engine.store;

import java.io.IOException;

/** A table of two releases: the later one added a field, which is 42 in values of the earlier one. */
public final class Evolving {

    public record Old(String name) {}

    public record New(String name, long added) {}

    public static final Table<Old> BEFORE = new Table<>("evolving", new Codec<>() {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Old value, ByteSink out) {
            Wire.writeString(out, value.name);
        }

        @Override
        public Old read(int version, ByteSource in) throws IOException {
            return new Old(Wire.readString(in));
        }
    });

    public static final Table<New> AFTER = new Table<>("evolving", new Codec<>() {
        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(New value, ByteSink out) {
            Wire.writeString(out, value.name);
            Wire.writeLong(out, value.added);
        }

        @Override
        public New read(int version, ByteSource in) throws IOException {
            return new New(Wire.readString(in), version < 2 ? 42 : Wire.readLong(in));
        }
    });

    private Evolving() {}
}
