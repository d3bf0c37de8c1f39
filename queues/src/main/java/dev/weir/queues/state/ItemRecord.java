package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/** An item of a queue, from its push to its end. Mutable. */
public final class ItemRecord {

    /** Where an item is. */
    public enum State {
        WAITING,
        LATER,
        LEASED,
        DEAD
    }

    /** Given at its push, never again; a smaller number is older. */
    public long number;

    public String queue;
    public String key;
    public Content content;
    public State state = State.WAITING;
    /** When its key came, in milliseconds since 1970. */
    public long createdAt;
    /** When it starts to wait, of one that is {@link State#LATER}; when it died, of one that is dead. In milliseconds since 1970. */
    public long at;

    /** No start before this time after a failure, in milliseconds since 1970; 0 for none. */
    public long coolUntil;

    public int failures;
    public int lost;
    public int releases;
    /** Why it failed last; null for never. */
    public String error;

    /** How many leases it had; with its number this names a lease of one run of Weir. */
    public int leases;
    /** Of the present lease, or of the last one; null before the first. */
    public String lease;
    /** On the lease clock, in milliseconds: when the lease ends, and to when it may be extended. */
    public long leaseUntil;

    public long leaseMost;

    /** What runs when the lease ends; null for nothing. Only of a leased one. */
    public Content successor;
    /**
     * A push has met it since its last lease. If a worker has it by a lease that a restart forgot, that push came during the lease, or
     * after its end: the item runs once more.
     */
    public boolean pushedAgain;
    /** Somebody has asked for its result. */
    public boolean asked;
    /** The date of this run, by which the next one is counted, in milliseconds since 1970; 0 for none. */
    public long base;
    /** The pause before it, of a rule that adapts, in seconds; 0 for none yet. */
    public int pauseS;
    /** Of the last result of its key; null for none. */
    public String digest;
    /** The item was removed while it is leased: its groups stay taken until the lease ends. */
    public boolean removed;

    /** What it counts against the bounds of its queue, in characters. */
    public long size() {
        return key.length() + content.size() + (successor == null ? 0 : successor.size());
    }

    /** Whether its key runs again, or that of its successor. */
    public boolean recurs() {
        return content.recurs() || successor != null && successor.recurs();
    }

    /** The n-th start, from 1, of the present or next lease. */
    public int attempt() {
        return failures + lost + 1;
    }

    /** See {@link ItemRecord}. */
    static final class ItemCodec implements Codec<ItemRecord> {
        private static final State[] STATES = State.values();

        @Override
        public int version() {
            return 3;
        }

        @Override
        public void write(ItemRecord item, ByteSink out) {
            Wire.writeLong(out, item.number);
            Wire.writeString(out, item.queue);
            Wire.writeString(out, item.key);
            item.content.write(out);
            Wire.writeEnum(out, item.state);
            Wire.writeLong(out, item.createdAt);
            Wire.writeLong(out, item.at);
            Wire.writeLong(out, item.coolUntil);
            Wire.writeLong(out, item.failures);
            Wire.writeLong(out, item.lost);
            Wire.writeLong(out, item.releases);
            Wire.writeString(out, item.error);
            Wire.writeLong(out, item.leases);
            Wire.writeString(out, item.lease);
            Wire.writeLong(out, item.leaseUntil);
            Wire.writeLong(out, item.leaseMost);
            out.writeBoolean(item.successor != null);
            if (item.successor != null) {
                item.successor.write(out);
            }
            out.writeBoolean(item.removed);
            out.writeBoolean(item.pushedAgain);
            out.writeBoolean(item.asked);
            Wire.writeLong(out, item.base);
            Wire.writeLong(out, item.pauseS);
            Wire.writeString(out, item.digest);
        }

        @Override
        public ItemRecord read(int version, ByteSource in) throws IOException {
            ItemRecord item = new ItemRecord();
            item.number = Wire.readLong(in);
            item.queue = Wire.readString(in);
            item.key = Wire.readString(in);
            item.content = Content.read(version > 2, in);
            item.state = Wire.readEnum(in, STATES);
            item.createdAt = Wire.readLong(in);
            item.at = Wire.readLong(in);
            item.coolUntil = Wire.readLong(in);
            item.failures = Wire.readInt(in);
            item.lost = Wire.readInt(in);
            item.releases = Wire.readInt(in);
            item.error = Wire.readString(in);
            item.leases = Wire.readInt(in);
            item.lease = Wire.readString(in);
            item.leaseUntil = Wire.readLong(in);
            item.leaseMost = Wire.readLong(in);
            item.successor = in.readBoolean() ? Content.read(version > 2, in) : null;
            item.removed = in.readBoolean();
            item.pushedAgain = version > 1 && in.readBoolean();
            if (version > 2) {
                item.asked = in.readBoolean();
                item.base = Wire.readLong(in);
                item.pauseS = Wire.readInt(in);
                item.digest = Wire.readString(in);
            }
            return item;
        }
    }
}
