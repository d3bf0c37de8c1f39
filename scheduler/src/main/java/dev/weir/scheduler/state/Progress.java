package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.JobCounts;
import java.io.IOException;

/** How far a task has come: what changes with nearly every event, apart from its long and constant {@code Task}. Mutable. */
public final class Progress {

    /** Unknown, for {@link #total} and {@link #jobs}. */
    public static final long UNKNOWN = -1;

    /** How the task ends, once that is decided. */
    public enum Stop {
        /** It goes on. */
        NONE,
        /** Soft finish: running jobs end. */
        CLOSE,
        /** Cancelled: running jobs are ordered to stop. */
        CANCEL,
        /** DSM contradicted itself: running jobs end, and the task counts as failed. */
        FAIL
    }

    public String uid;
    /** Hash of the whole task message, to distinguish a repetition from another task with the same uid. */
    public long contentHash;

    public String pool;
    /** Order of arrival in the lane. */
    public long arrival;

    public long acceptedAt;
    public double base;
    public double rank;
    /** Whether it holds one of the pool's active slots. */
    public boolean slot;

    public boolean everActive;
    public boolean paused;
    /** Who has paused it; null when it is not paused, or by an older version. */
    public String pausedBy;

    public Stop stop = Stop.NONE;
    public String stopReason;

    /** Files of the dataset; {@link #UNKNOWN} before the first page. */
    public long total = UNKNOWN;
    /** Offset of the next file to ask for. */
    public long readTo;

    public boolean listed;
    public boolean pageAsked;
    public int pageLimit;
    public int pageTries;
    public long pageDeadline;
    /** Why the page is missing; null without a failure. */
    public String pageTrouble;
    /** Whether its files are chosen by index instead of in order of chunks. */
    public boolean indexed;

    /** Positions that are complete: released, waiting in chunks, or dropped. */
    public long known;
    /** Jobs of the task; {@link #UNKNOWN} until all files are listed (Map: until the first page). */
    public long jobs = UNKNOWN;
    /** In order: the next position to release. */
    public long cursor;
    /** Positions that were released at least once, adopted ones included. */
    public long released;

    public long queued;
    public long starting;
    public long running;
    public long cooling;
    public long finished;
    public long failed;
    public long killed;
    /** Of those that failed or were killed: how many are over because of system failures. */
    public long failedBySystem;

    public long cancelled;
    public long retries;
    public long systemRetries;

    /** Fresh files to go until the chunk ends. */
    public long chunkLeft;

    public long chunkReleased;
    public long chunkRetries;
    public long lastReleasedAt;

    /** How many attempts in a row have failed in stage-in or stage-out. */
    public long stagingFailures;
    /** At how many of them the next fresh file may start. */
    public long probeFrom;
    /** When an attempt was last known to have had its input, in milliseconds since 1970; 0 before the first. */
    public long storageWorkedAt;
    /** How attempts have failed since the last one finished. */
    public RecentErrors errors = RecentErrors.NONE;

    /** Until when its dataset stays open for failed jobs to be tried again, in milliseconds since 1970; 0 while jobs are not over. */
    public long keptUntil;

    public long registered;
    /** How many places its list of failed jobs has, those of pieces that were taken included. */
    public long failedListed;
    /** Pieces of that list that were taken from its front. */
    public long failedTaken;
    /** Up to which piece failed jobs are being tried again by command. */
    public long retryTo;

    public int closingPart;
    public boolean closing;

    public long version;
    public int events;
    public long rankCommandAt;
    public long pauseCommandAt;

    /** Jobs that are released and not terminal. */
    public long live() {
        return queued + starting + running + cooling;
    }

    /** Jobs whose outcome is known. */
    public long terminal() {
        return finished + failed + killed + cancelled;
    }

    /** Whether the task starts no further job. */
    public boolean exhausted() {
        return stop != Stop.NONE || listed && released == jobs;
    }

    public JobCounts counts() {
        Long all = jobs == UNKNOWN ? null : Long.valueOf(jobs);
        Long waiting = jobs == UNKNOWN ? null : Long.valueOf(jobs - live() - terminal());
        return new JobCounts(
                all,
                waiting,
                queued,
                starting,
                running,
                cooling,
                finished,
                failed,
                killed,
                cancelled,
                retries,
                systemRetries);
    }

    /** See {@link Progress}. */
    public static final class ProgressCodec implements Codec<Progress> {
        private static final Stop[] STOPS = Stop.values();

        @Override
        public int version() {
            return 6;
        }

        @Override
        public void write(Progress p, ByteSink out) {
            Wire.writeString(out, p.uid);
            out.writeLong(p.contentHash);
            Wire.writeString(out, p.pool);
            Wire.writeLong(out, p.arrival);
            Wire.writeLong(out, p.acceptedAt);
            out.writeDouble(p.base);
            out.writeDouble(p.rank);
            out.writeByte((p.slot ? 1 : 0)
                    | (p.everActive ? 2 : 0)
                    | (p.paused ? 4 : 0)
                    | (p.listed ? 8 : 0)
                    | (p.pageAsked ? 16 : 0)
                    | (p.indexed ? 32 : 0)
                    | (p.closing ? 64 : 0));
            Wire.writeEnum(out, p.stop);
            Wire.writeString(out, p.stopReason);
            Wire.writeLong(out, p.total + 1);
            Wire.writeLong(out, p.readTo);
            Wire.writeLong(out, p.pageLimit);
            Wire.writeLong(out, p.pageTries);
            Wire.writeLong(out, p.pageDeadline);
            Wire.writeString(out, p.pageTrouble);
            Wire.writeLong(out, p.known);
            Wire.writeLong(out, p.jobs + 1);
            Wire.writeLong(out, p.cursor);
            Wire.writeLong(out, p.released);
            Wire.writeLong(out, p.queued);
            Wire.writeLong(out, p.starting);
            Wire.writeLong(out, p.running);
            Wire.writeLong(out, p.cooling);
            Wire.writeLong(out, p.finished);
            Wire.writeLong(out, p.failed);
            Wire.writeLong(out, p.killed);
            Wire.writeLong(out, p.cancelled);
            Wire.writeLong(out, p.retries);
            Wire.writeLong(out, p.systemRetries);
            Wire.writeLong(out, p.chunkLeft);
            Wire.writeLong(out, p.chunkReleased);
            Wire.writeLong(out, p.chunkRetries);
            Wire.writeLong(out, p.lastReleasedAt);
            Wire.writeLong(out, p.registered);
            Wire.writeLong(out, p.failedListed);
            Wire.writeLong(out, p.closingPart);
            Wire.writeLong(out, p.version);
            Wire.writeLong(out, p.events);
            Wire.writeLong(out, p.rankCommandAt);
            Wire.writeLong(out, p.pauseCommandAt);
            Wire.writeLong(out, p.failedBySystem);
            Wire.writeLong(out, p.stagingFailures);
            Wire.writeLong(out, p.probeFrom);
            p.errors.write(out);
            Wire.writeString(out, p.pausedBy);
            Wire.writeLong(out, p.storageWorkedAt);
            Wire.writeLong(out, p.keptUntil);
            Wire.writeLong(out, p.failedTaken);
            Wire.writeLong(out, p.retryTo);
        }

        @Override
        public Progress read(int version, ByteSource in) throws IOException {
            Progress p = new Progress();
            p.uid = Wire.readString(in);
            p.contentHash = in.readLong();
            p.pool = Wire.readString(in);
            p.arrival = Wire.readLong(in);
            p.acceptedAt = Wire.readLong(in);
            p.base = in.readDouble();
            p.rank = in.readDouble();
            int flags = in.readByte();
            p.slot = (flags & 1) != 0;
            p.everActive = (flags & 2) != 0;
            p.paused = (flags & 4) != 0;
            p.listed = (flags & 8) != 0;
            p.pageAsked = (flags & 16) != 0;
            p.indexed = (flags & 32) != 0;
            p.closing = (flags & 64) != 0;
            p.stop = Wire.readEnum(in, STOPS);
            p.stopReason = Wire.readString(in);
            p.total = Wire.readLong(in) - 1;
            p.readTo = Wire.readLong(in);
            p.pageLimit = Wire.readInt(in);
            p.pageTries = Wire.readInt(in);
            p.pageDeadline = Wire.readLong(in);
            p.pageTrouble = Wire.readString(in);
            p.known = Wire.readLong(in);
            p.jobs = Wire.readLong(in) - 1;
            p.cursor = Wire.readLong(in);
            p.released = Wire.readLong(in);
            p.queued = Wire.readLong(in);
            p.starting = Wire.readLong(in);
            p.running = Wire.readLong(in);
            p.cooling = Wire.readLong(in);
            p.finished = Wire.readLong(in);
            p.failed = Wire.readLong(in);
            p.killed = Wire.readLong(in);
            p.cancelled = Wire.readLong(in);
            p.retries = Wire.readLong(in);
            p.systemRetries = Wire.readLong(in);
            p.chunkLeft = Wire.readLong(in);
            p.chunkReleased = Wire.readLong(in);
            p.chunkRetries = Wire.readLong(in);
            p.lastReleasedAt = Wire.readLong(in);
            p.registered = Wire.readLong(in);
            p.failedListed = Wire.readLong(in);
            p.closingPart = Wire.readInt(in);
            p.version = Wire.readLong(in);
            p.events = Wire.readInt(in);
            p.rankCommandAt = Wire.readLong(in);
            p.pauseCommandAt = Wire.readLong(in);
            if (version >= 2) {
                p.failedBySystem = Wire.readLong(in);
                p.stagingFailures = Wire.readLong(in);
                p.probeFrom = Wire.readLong(in);
                p.errors = RecentErrors.read(in);
            }
            if (version >= 3) {
                p.pausedBy = Wire.readString(in);
            }
            if (version >= 4) {
                p.storageWorkedAt = Wire.readLong(in);
            }
            if (version >= 5) {
                p.keptUntil = Wire.readLong(in);
            }
            if (version >= 6) {
                p.failedTaken = Wire.readLong(in);
                p.retryTo = Wire.readLong(in);
            } else {
                p.retryTo = Names.pieces(p.failedListed);
            }
            return p;
        }
    }
}
