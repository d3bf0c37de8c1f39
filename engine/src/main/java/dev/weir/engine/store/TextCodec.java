package dev.weir.engine.store;

import java.io.IOException;

/** A string as it is. */
public final class TextCodec implements Codec<String> {

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(String value, ByteSink out) {
        out.writeText(value);
    }

    @Override
    public String read(int version, ByteSource in) throws IOException {
        return in.readText();
    }
}
