package dev.weir.engine.store;

import java.io.IOException;

/**
 * How a value of one table is written as bytes. A codec reads every version that it or its predecessors ever wrote.
 *
 * @param <V> the value's type
 */
public interface Codec<V> {

    /** The version that {@link #write} writes, from 1 to 127. It grows by one when a field is added. */
    int version();

    /** Writes the fields; the version byte has been written already. */
    void write(V value, ByteSink out);

    /**
     * Reads what was written by the given version.
     *
     * @param version 1 to {@link #version()}; fields that came later get their defaults
     */
    V read(int version, ByteSource in) throws IOException;
}
