package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.QueueSettings;
import java.io.IOException;

/** A queue: its settings and what it has counted. Mutable. */
public final class QueueRecord {

    public String name;
    public QueueSettings settings = QueueSettings.defaults();
    public boolean paused;
    /** It goes as soon as what is in it has gone. */
    public boolean deleted;
    /** Items with a smaller number are purged, if they wait or are put off; or in any state, when the queue is deleted. */
    public long purgedBelow;
    /** That it has few items was announced, and it has not had more since. */
    public boolean low;

    /** Keys that rest, those with an item that waits or runs included. */
    public long resting;
    /** Questions that were answered with a kept result. */
    public long hits;
    /** Items that wait may have another priority now: they are ranked anew step by step. */
    public boolean ranking;

    public long pushed;
    public long popped;
    public long finished;
    public long failed;
    public long lost;
    public long died;
    /** Dead items that were too many or too old. */
    public long deadDropped;

    /** See {@link QueueRecord}. */
    static final class QueueCodec implements Codec<QueueRecord> {

        @Override
        public int version() {
            return 3;
        }

        @Override
        public void write(QueueRecord queue, ByteSink out) {
            Wire.writeString(out, queue.name);
            Wire.writeBytes(out, Json.write(queue.settings));
            out.writeBoolean(queue.paused);
            out.writeBoolean(queue.deleted);
            Wire.writeLong(out, queue.purgedBelow);
            out.writeBoolean(queue.low);
            Wire.writeLong(out, queue.pushed);
            Wire.writeLong(out, queue.popped);
            Wire.writeLong(out, queue.finished);
            Wire.writeLong(out, queue.failed);
            Wire.writeLong(out, queue.lost);
            Wire.writeLong(out, queue.resting);
            Wire.writeLong(out, queue.hits);
            out.writeBoolean(queue.ranking);
            Wire.writeLong(out, queue.died);
            Wire.writeLong(out, queue.deadDropped);
        }

        @Override
        public QueueRecord read(int version, ByteSource in) throws IOException {
            QueueRecord queue = new QueueRecord();
            queue.name = Wire.readString(in);
            try {
                queue.settings = Json.readKept(Wire.readBytes(in), QueueSettings.class);
            } catch (InvalidMessage e) {
                throw new IOException("the settings of a queue can't be read: " + e.getMessage(), e);
            }
            queue.paused = in.readBoolean();
            queue.deleted = in.readBoolean();
            queue.purgedBelow = Wire.readLong(in);
            queue.low = in.readBoolean();
            queue.pushed = Wire.readLong(in);
            queue.popped = Wire.readLong(in);
            queue.finished = Wire.readLong(in);
            queue.failed = Wire.readLong(in);
            queue.lost = Wire.readLong(in);
            if (version > 1) {
                queue.resting = Wire.readLong(in);
                queue.hits = Wire.readLong(in);
                queue.ranking = in.readBoolean();
            }
            if (version > 2) {
                queue.died = Wire.readLong(in);
                queue.deadDropped = Wire.readLong(in);
            }
            return queue;
        }
    }
}
