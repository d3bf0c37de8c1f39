package dev.weir.engine;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/** What an engine keeps in state for itself. Mutable. */
public final class EngineRecord implements Entity {

    /** How many numbers {@link Session#nextNumber} gave. */
    public long allocated;
    /** The {@link LeaseClock}, in milliseconds of heard beats. */
    public long beatClock;
    /** When the newest beat was heard, in milliseconds since 1970; 0 before the first. */
    public long beatHeardAt;
    /** Numbers in the list of {@link SeenIds}: the next to forget, and the next to give. */
    public long forgetFrom;

    public long forgetTo;

    private boolean changed;

    @Override
    public boolean markChanged(boolean isChanged) {
        boolean was = changed;
        changed = isChanged;
        return was;
    }

    @Override
    public void save(Store store) {
        store.put(EngineTables.ENGINE, "", this);
    }

    /** See {@link EngineRecord}. */
    static final class EngineCodec implements Codec<EngineRecord> {

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(EngineRecord engine, ByteSink out) {
            Wire.writeLong(out, engine.allocated);
            Wire.writeLong(out, engine.beatClock);
            Wire.writeLong(out, engine.beatHeardAt);
            Wire.writeLong(out, engine.forgetFrom);
            Wire.writeLong(out, engine.forgetTo);
        }

        @Override
        public EngineRecord read(int version, ByteSource in) throws IOException {
            EngineRecord engine = new EngineRecord();
            engine.allocated = Wire.readLong(in);
            engine.beatClock = Wire.readLong(in);
            engine.beatHeardAt = Wire.readLong(in);
            engine.forgetFrom = Wire.readLong(in);
            engine.forgetTo = Wire.readLong(in);
            return engine;
        }
    }
}
