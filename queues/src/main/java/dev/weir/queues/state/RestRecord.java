package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.queue.Payload;
import java.io.IOException;

/**
 * What outlives the items of a key: when it runs again, its last answer, and its grace. When none of it is left, the record stays as long as
 * an entry of a due list is about the key, so that its next dates need no further one. Mutable. Times are in milliseconds since 1970, and 0 for
 * none.
 */
public final class RestRecord {

    public String queue;
    public String key;
    /** Whether the state has it, with something that had a future: then it counts. */
    public boolean stored;
    /** Of its last item, and of its next one. */
    public Content content;
    /** When the last item came. */
    public long createdAt;

    /** When the key runs again. */
    public long due;
    /** The date that {@link #due} is made of, without what it was put off by. */
    public long base;
    /** The run at {@link #due} is there to have a fresh answer. */
    public boolean refresh;
    /** The pause before it, of a rule that adapts. */
    public int pauseS;
    /** Of the last result; null for none. */
    public String digest;

    /** No start before this time. */
    public long graceUntil;

    /** The last answer; null for none. */
    public Payload result;

    public long answeredAt;
    public long freshUntil;
    public long staleUntil;
    /** For when the end of answer and grace is noted in a due list: there is one such entry, however often that end moves. */
    public long endListed;
    /** The same of when the key runs again: {@link #due}, or earlier. */
    public long dueListed;

    /** When all but the next run is over; 0 when it is. */
    public long endsAt() {
        return Math.max(graceUntil, result == null ? 0 : staleUntil);
    }

    /** Whether nothing is left but of which dates the key is in due lists. */
    public boolean isOver() {
        return due == 0 && endsAt() == 0;
    }

    public boolean isListed() {
        return dueListed > 0 || endListed > 0;
    }

    /** What is left of it when all else is over. */
    public RestRecord listedOnly() {
        RestRecord left = new RestRecord();
        left.queue = queue;
        left.key = key;
        left.content = Content.NONE;
        left.dueListed = dueListed;
        left.endListed = endListed;
        return left;
    }

    /** Whether it is given without a word about its age. One from a time that has not come was made while the clock was wrong. */
    public boolean isFresh(long nowMillis) {
        return result != null && answeredAt <= nowMillis && nowMillis < freshUntil;
    }

    /** See {@link RestRecord}. */
    static final class RestCodec implements Codec<RestRecord> {

        @Override
        public int version() {
            return 4;
        }

        @Override
        public void write(RestRecord rest, ByteSink out) {
            Wire.writeString(out, rest.queue);
            Wire.writeString(out, rest.key);
            rest.content.write(out);
            Wire.writeLong(out, rest.createdAt);
            Wire.writeLong(out, rest.due);
            Wire.writeLong(out, rest.base);
            out.writeBoolean(rest.refresh);
            Wire.writeLong(out, rest.pauseS);
            Wire.writeString(out, rest.digest);
            Wire.writeLong(out, rest.graceUntil);
            Wire.writeString(out, rest.result == null ? null : rest.result.json());
            Wire.writeLong(out, rest.answeredAt);
            Wire.writeLong(out, rest.freshUntil);
            Wire.writeLong(out, rest.staleUntil);
            Wire.writeLong(out, rest.endListed);
            Wire.writeLong(out, rest.dueListed);
        }

        @Override
        public RestRecord read(int version, ByteSource in) throws IOException {
            RestRecord rest = new RestRecord();
            rest.queue = Wire.readString(in);
            rest.key = Wire.readString(in);
            rest.content = Content.read(true, in);
            rest.createdAt = Wire.readLong(in);
            rest.due = Wire.readLong(in);
            rest.base = Wire.readLong(in);
            rest.refresh = in.readBoolean();
            rest.pauseS = Wire.readInt(in);
            rest.digest = Wire.readString(in);
            rest.graceUntil = Wire.readLong(in);
            String result = Wire.readString(in);
            rest.result = result == null ? null : new Payload(result);
            rest.answeredAt = Wire.readLong(in);
            rest.freshUntil = Wire.readLong(in);
            rest.staleUntil = Wire.readLong(in);
            if (version == 1) {
                // Whether somebody had asked for the answer.
                var unused = in.readBoolean();
            }
            // What older records have in due lists is not known: their next dates are noted once more.
            rest.endListed = version > 2 ? Wire.readLong(in) : 0;
            rest.dueListed = version > 3 ? Wire.readLong(in) : 0;
            rest.stored = !rest.isOver();
            return rest;
        }
    }
}
