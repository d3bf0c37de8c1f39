package dev.weir.engine.limit;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;
import java.time.Duration;

/**
 * What must be known of a limit group after a restore.
 *
 * @param limit given by command; null when none was
 * @param commandAt when that was, in milliseconds since 1970
 * @param starts triples of first start, last start and count, oldest first, as {@code StartWindow} keeps them
 * @param heldUntil nothing starts before, in milliseconds since 1970; 0 when it is not held
 */
public record GroupRecord(GroupLimit limit, long commandAt, long[] starts, long heldUntil) {

    /** The longest hold, in milliseconds. */
    public static final long LONGEST_HOLD_MILLIS = 7 * 24 * 3600 * 1000L;

    /** Of a group that is not held. */
    public GroupRecord(GroupLimit limit, long commandAt, long[] starts) {
        this(limit, commandAt, starts, 0);
    }

    /**
     * The same without times that have not come yet, which are from a clock that was ahead: such a start counts as of now, so that it
     * leaves the window in time, such a command keeps no other one from acting, and no hold lasts for longer than it may from now.
     */
    public GroupRecord noLaterThan(long nowMillis) {
        boolean isHoldSound = heldUntil <= nowMillis + LONGEST_HOLD_MILLIS;
        if (isHoldSound && commandAt <= nowMillis && (starts.length == 0 || starts[starts.length - 2] <= nowMillis)) {
            return this;
        }
        long[] sound = starts.clone();
        for (int i = 0; i < sound.length; i += 3) {
            sound[i] = Math.min(sound[i], nowMillis);
            sound[i + 1] = Math.min(sound[i + 1], nowMillis);
        }
        return new GroupRecord(
                limit,
                commandAt > nowMillis ? 0 : commandAt,
                sound,
                Math.min(heldUntil, nowMillis + LONGEST_HOLD_MILLIS));
    }

    /** See {@link GroupRecord}. */
    public static final class GroupCodec implements Codec<GroupRecord> {
        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(GroupRecord g, ByteSink out) {
            out.writeBoolean(g.limit != null);
            if (g.limit != null) {
                Wire.writeLong(out, g.limit.maxInFlight());
                Wire.writeLong(out, g.limit.maxStarts());
                Wire.writeLong(
                        out, g.limit.window() == null ? 0 : g.limit.window().toMillis());
            }
            Wire.writeLong(out, g.commandAt);
            Wire.writeLong(out, g.starts.length);
            for (long start : g.starts) {
                Wire.writeLong(out, start);
            }
            Wire.writeLong(out, g.heldUntil);
        }

        @Override
        public GroupRecord read(int version, ByteSource in) throws IOException {
            GroupLimit limit = null;
            if (in.readBoolean()) {
                int maxInFlight = Wire.readInt(in);
                int maxStarts = Wire.readInt(in);
                long window = Wire.readLong(in);
                limit = new GroupLimit(maxInFlight, maxStarts, window == 0 ? null : Duration.ofMillis(window));
            }
            long commandAt = Wire.readLong(in);
            long[] starts = new long[in.readCount()];
            for (int i = 0; i < starts.length; i++) {
                starts[i] = Wire.readLong(in);
            }
            return new GroupRecord(limit, commandAt, starts, version < 2 ? 0 : Wire.readLong(in));
        }
    }
}
