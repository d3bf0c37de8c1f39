package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.Device;
import dev.weir.protocol.PilotState;
import java.io.IOException;
import java.util.List;

/** A pilot that was heard, or that a command is about. Mutable. */
public final class PilotRecord {

    /** The operator's order. */
    public enum Use {
        NORMAL,
        /** It takes no new job and ends the present one. */
        DRAIN,
        /** It takes no job, and its present job is stopped. */
        EXCLUDE
    }

    public String id;
    /** Null while it was never heard. */
    public String pool;
    /** All pools that it serves; empty when it serves only {@link #pool}. */
    public List<String> pools = List.of();

    public Device device = Device.CPU;
    public String host;
    public Integer cores;
    public Long memory;
    /** Null when unknown. */
    public Integer gpus;
    /** Null: gone, or never heard. */
    public PilotState state;

    public String jobUid;
    public Use use = Use.NORMAL;
    public long useCommandAt;
    public long finished;
    public long failed;
    public long lastSeenAt;
    /** On the lease clock, in milliseconds. */
    public long leaseUntil;

    public long version;

    /** See {@link PilotRecord}. */
    static final class PilotCodec implements Codec<PilotRecord> {
        private static final Device[] DEVICES = Device.values();
        private static final PilotState[] STATES = PilotState.values();
        private static final Use[] USES = Use.values();

        @Override
        public int version() {
            return 3;
        }

        @Override
        public void write(PilotRecord p, ByteSink out) {
            Wire.writeString(out, p.id);
            Wire.writeString(out, p.pool);
            Wire.writeEnum(out, p.device);
            Wire.writeString(out, p.host);
            Wire.writeOptional(out, p.cores == null ? null : Long.valueOf(p.cores));
            Wire.writeOptional(out, p.memory);
            Wire.writeEnum(out, p.state);
            Wire.writeString(out, p.jobUid);
            Wire.writeEnum(out, p.use);
            Wire.writeLong(out, p.useCommandAt);
            Wire.writeLong(out, p.finished);
            Wire.writeLong(out, p.failed);
            Wire.writeLong(out, p.lastSeenAt);
            Wire.writeLong(out, p.leaseUntil);
            Wire.writeLong(out, p.version);
            Wire.writeStrings(out, p.pools);
            Wire.writeOptional(out, p.gpus == null ? null : Long.valueOf(p.gpus));
        }

        @Override
        public PilotRecord read(int version, ByteSource in) throws IOException {
            PilotRecord p = new PilotRecord();
            p.id = Wire.readString(in);
            p.pool = Wire.readString(in);
            p.device = Wire.readEnum(in, DEVICES);
            p.host = Wire.readString(in);
            Long cores = Wire.readOptional(in);
            p.cores = cores == null ? null : cores.intValue();
            p.memory = Wire.readOptional(in);
            p.state = Wire.readEnum(in, STATES);
            p.jobUid = Wire.readString(in);
            p.use = Wire.readEnum(in, USES);
            p.useCommandAt = Wire.readLong(in);
            p.finished = Wire.readLong(in);
            p.failed = Wire.readLong(in);
            p.lastSeenAt = Wire.readLong(in);
            p.leaseUntil = Wire.readLong(in);
            p.version = Wire.readLong(in);
            if (version >= 2) {
                p.pools = Wire.readStrings(in);
            }
            if (version >= 3) {
                Long gpus = Wire.readOptional(in);
                p.gpus = gpus == null ? null : gpus.intValue();
            }
            return p;
        }
    }
}
