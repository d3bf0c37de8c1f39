package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import java.io.IOException;

/** One bit for each of {@link #POSITIONS} consecutive positions. */
public record Bits(long[] words) {

    public static final int WORDS = 8;
    public static final int POSITIONS = WORDS * 64;

    /** See {@link Bits}. */
    static final class BitsCodec implements Codec<Bits> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Bits bits, ByteSink out) {
            for (long word : bits.words) {
                out.writeLong(word);
            }
        }

        @Override
        public Bits read(int version, ByteSource in) throws IOException {
            long[] words = new long[WORDS];
            for (int i = 0; i < WORDS; i++) {
                words[i] = in.readLong();
            }
            return new Bits(words);
        }
    }
}
