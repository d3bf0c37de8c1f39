package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.ErrorType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A job that was released and is not over, or that failed and may be retried until its dataset closes. Mutable. */
public final class JobRecord {

    /** Where the job is. */
    public enum Phase {
        /** Sent; no pilot has reported it. */
        QUEUED,
        STARTING,
        RUNNING,
        /** An attempt failed; the next one waits for its time. */
        COOLING,
        /** The next attempt may be released. */
        DUE,
        /** Over; kept for retry_failed. */
        FAILED,
        /** Over, stopped by something else than the task's cancel; kept for retry_failed. */
        KILLED,
        /** Only in old state: the place of a queued job that was over. Dropped when it is read. */
        GHOST
    }

    /** The newest order to its pilot. */
    public enum Order {
        NONE,
        /** The task was cancelled. */
        CANCEL,
        /** The pilot must not run it; it runs elsewhere. */
        KILL
    }

    public String uid;
    public String taskUid;
    public long position;
    public int attempt;
    public Phase phase;
    public Order order = Order.NONE;
    public String pool;
    /** Pilot that owns the attempt; null while none has reported it. */
    public String pilot;

    public int payloadFailures;
    public int systemFailures;
    /** When the first of its system failures in a row was, in milliseconds since 1970; 0 when its last failure was none. */
    public long systemFailingSince;
    /** On the lease clock, in milliseconds; for STARTING and RUNNING. */
    public long leaseUntil;
    /** QUEUED: when to look whether its message is lost. COOLING: when the next attempt may go. Milliseconds since 1970. */
    public long deadline;

    public int resends;
    /** Since when its attempts have not found their input or program, in milliseconds since 1970; 0 when the last one did. */
    public long missingSince;
    /** Whether its attempt was out for too long, and its pilot is heard no more about it. */
    public boolean overdue;

    public long queuedAt;
    public long startedAt;
    public double rank;
    /** The input; of the first one for Merge. */
    public String inputUrl;

    public Long inputSize;
    public String inputChecksum;
    public List<String> groups = List.of();
    public List<MadeFile> logs = new ArrayList<>(0);
    /** The newest output of a failed attempt; null when none had one. */
    public MadeFile output;

    /** Logs of attempts up to this one are registered already: the job had failed for good before it was tried again. */
    public int registeredAttempts;

    /** None once an output is registered. */
    public LostAttempts lost = LostAttempts.NONE;

    public Integer exitCode;
    public ErrorType errorType;
    public String errorMessage;
    public long version;

    /** Attempts that Weir stopped because their pilots must not run the job, since the job began or was brought back. */
    public int orderedKills;

    /** What the mirror shows of a job that failed for good: when it ended (milliseconds since 1970), its output and its last log. */
    public long endedAt;

    public String shownOutput;
    public String shownLog;

    /** Whether its pilot was ordered to stop because it must not run the job. That is no failure. */
    public boolean isUnwanted() {
        return order == Order.KILL && !overdue;
    }

    /** Whether its pilot was ordered to stop because it took too long, which is a failure of the system. */
    public boolean isOverdue() {
        return order == Order.KILL && overdue;
    }

    /** See {@link JobRecord}. */
    public static final class JobCodec implements Codec<JobRecord> {
        private static final Phase[] PHASES = Phase.values();
        private static final Order[] ORDERS = Order.values();
        private static final ErrorType[] ERROR_TYPES = ErrorType.values();

        @Override
        public int version() {
            return 5;
        }

        @Override
        public void write(JobRecord j, ByteSink out) {
            Wire.writeString(out, j.uid);
            Wire.writeString(out, j.taskUid);
            Wire.writeLong(out, j.position);
            Wire.writeLong(out, j.attempt);
            Wire.writeEnum(out, j.phase);
            Wire.writeEnum(out, j.order);
            Wire.writeString(out, j.pool);
            Wire.writeString(out, j.pilot);
            Wire.writeLong(out, j.payloadFailures);
            Wire.writeLong(out, j.systemFailures);
            Wire.writeLong(out, j.leaseUntil);
            Wire.writeLong(out, j.deadline);
            Wire.writeLong(out, j.resends);
            Wire.writeLong(out, j.queuedAt);
            Wire.writeLong(out, j.startedAt);
            out.writeDouble(j.rank);
            Wire.writeString(out, j.inputUrl);
            Wire.writeOptional(out, j.inputSize);
            Wire.writeString(out, j.inputChecksum);
            Wire.writeStrings(out, j.groups);
            Wire.writeLong(out, j.logs.size());
            for (MadeFile log : j.logs) {
                MadeFile.write(log, out);
            }
            out.writeBoolean(j.output != null);
            if (j.output != null) {
                MadeFile.write(j.output, out);
            }
            Wire.writeOptional(out, j.exitCode == null ? null : Long.valueOf(j.exitCode));
            Wire.writeEnum(out, j.errorType);
            Wire.writeString(out, j.errorMessage);
            Wire.writeLong(out, j.version);
            Wire.writeLong(out, j.registeredAttempts);
            Wire.writeLong(out, j.orderedKills);
            Wire.writeLong(out, j.endedAt);
            Wire.writeString(out, j.shownOutput);
            Wire.writeString(out, j.shownLog);
            j.lost.write(out);
            Wire.writeLong(out, j.systemFailingSince);
            out.writeBoolean(j.overdue);
            Wire.writeLong(out, j.missingSince);
        }

        @Override
        public JobRecord read(int version, ByteSource in) throws IOException {
            JobRecord j = new JobRecord();
            j.uid = Wire.readString(in);
            j.taskUid = Wire.readString(in);
            j.position = Wire.readLong(in);
            j.attempt = Wire.readInt(in);
            j.phase = Wire.readEnum(in, PHASES);
            j.order = Wire.readEnum(in, ORDERS);
            j.pool = Wire.readString(in);
            j.pilot = Wire.readString(in);
            j.payloadFailures = Wire.readInt(in);
            j.systemFailures = Wire.readInt(in);
            j.leaseUntil = Wire.readLong(in);
            j.deadline = Wire.readLong(in);
            j.resends = Wire.readInt(in);
            j.queuedAt = Wire.readLong(in);
            j.startedAt = Wire.readLong(in);
            j.rank = in.readDouble();
            j.inputUrl = Wire.readString(in);
            j.inputSize = Wire.readOptional(in);
            j.inputChecksum = Wire.readString(in);
            j.groups = Wire.readStrings(in);
            int logs = Wire.readInt(in);
            for (int i = 0; i < logs; i++) {
                j.logs.add(MadeFile.read(in));
            }
            j.output = in.readBoolean() ? MadeFile.read(in) : null;
            Long exitCode = Wire.readOptional(in);
            j.exitCode = exitCode == null ? null : exitCode.intValue();
            j.errorType = Wire.readEnum(in, ERROR_TYPES);
            j.errorMessage = Wire.readString(in);
            j.version = Wire.readLong(in);
            j.registeredAttempts = Wire.readInt(in);
            if (version >= 2) {
                j.orderedKills = Wire.readInt(in);
                j.endedAt = Wire.readLong(in);
                j.shownOutput = Wire.readString(in);
                j.shownLog = Wire.readString(in);
            }
            if (version >= 3) {
                j.lost = LostAttempts.read(in);
            }
            if (version >= 4) {
                j.systemFailingSince = Wire.readLong(in);
                j.overdue = in.readBoolean();
            }
            if (version >= 5) {
                j.missingSince = Wire.readLong(in);
            }
            return j;
        }
    }
}
