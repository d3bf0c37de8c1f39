package dev.weir.scheduler.state;

import dev.weir.scheduler.store.ByteSink;
import dev.weir.scheduler.store.ByteSource;
import dev.weir.scheduler.store.Codec;
import java.io.IOException;

/** What belongs to the lane as a whole. Mutable. */
public final class LaneRecord {

    /** Tasks that ever arrived. */
    public long arrivals;
    /** The clock on which leases run, in milliseconds of heard beats. */
    public long beatClock;
    /** When the newest beat was heard, in milliseconds since 1970; 0 before the first. */
    public long beatHeardAt;
    /** Numbers in the table of what is to be forgotten: the next to forget, and the next to give. */
    public long forgetFrom;

    public long forgetTo;

    /** See {@link LaneRecord}. */
    static final class LaneCodec implements Codec<LaneRecord> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(LaneRecord lane, ByteSink out) {
            Wire.writeLong(out, lane.arrivals);
            Wire.writeLong(out, lane.beatClock);
            Wire.writeLong(out, lane.beatHeardAt);
            Wire.writeLong(out, lane.forgetFrom);
            Wire.writeLong(out, lane.forgetTo);
        }

        @Override
        public LaneRecord read(int version, ByteSource in) throws IOException {
            LaneRecord lane = new LaneRecord();
            lane.arrivals = Wire.readLong(in);
            lane.beatClock = Wire.readLong(in);
            lane.beatHeardAt = Wire.readLong(in);
            lane.forgetFrom = Wire.readLong(in);
            lane.forgetTo = Wire.readLong(in);
            return lane;
        }
    }
}
