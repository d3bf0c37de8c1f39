package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest {@value #MOST} attempts of a job whose end was not reported: their leases ran out, or a restore has forgotten that they were
 * sent. Such an attempt counts if it finishes later, even when the job has failed for good. Immutable.
 */
public final class LostAttempts {

    /**
     * @param pilot that owned it; null when it is forgotten
     * @param stopped whether its pilot had been ordered to stop it: then the files of its failure do not count
     */
    public record Lost(int attempt, String pilot, boolean stopped) {}

    public static final LostAttempts NONE = new LostAttempts(List.of());

    private static final int MOST = 16;

    private final List<Lost> attempts;

    private LostAttempts(List<Lost> attempts) {
        this.attempts = attempts;
    }

    /** Adds an attempt whose lease has run out. */
    public LostAttempts and(int attempt, String pilot, boolean stopped) {
        List<Lost> more = new ArrayList<>(attempts);
        more.add(new Lost(attempt, pilot, stopped));
        return new LostAttempts(newest(more));
    }

    /** Adds forgotten attempts; none when the last comes before the first. */
    public LostAttempts andForgotten(int first, int last) {
        if (first > last) {
            return this;
        }
        List<Lost> more = new ArrayList<>(attempts);
        for (int attempt = Math.max(first, last - MOST + 1); attempt <= last; attempt++) {
            more.add(new Lost(attempt, null, false));
        }
        return new LostAttempts(newest(more));
    }

    private static List<Lost> newest(List<Lost> lost) {
        return List.copyOf(lost.subList(Math.max(0, lost.size() - MOST), lost.size()));
    }

    public boolean has(int attempt) {
        return attempts.stream().anyMatch(lost -> lost.attempt == attempt);
    }

    /**
     * The lost attempt that has failed; null for none. A report of another pilot that took a copy of the message and was told to cancel does
     * not count.
     */
    public Lost failed(Result result) {
        boolean cancelled = result.status() == Result.Outcome.CANCELLED;
        for (Lost lost : attempts) {
            boolean isOfItsOwner = lost.pilot == null ? !cancelled : lost.pilot.equals(result.pilotId());
            if (lost.attempt == result.attempt() && isOfItsOwner) {
                return lost;
            }
        }
        return null;
    }

    public LostAttempts without(Lost ended) {
        return new LostAttempts(attempts.stream().filter(lost -> lost != ended).toList());
    }

    void write(ByteSink out) {
        Wire.writeLong(out, attempts.size());
        for (Lost lost : attempts) {
            Wire.writeLong(out, lost.attempt);
            Wire.writeString(out, lost.pilot);
            out.writeBoolean(lost.stopped);
        }
    }

    static LostAttempts read(ByteSource in) throws IOException {
        int count = Wire.readInt(in);
        if (count == 0) {
            return NONE;
        }
        List<Lost> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(new Lost(Wire.readInt(in), Wire.readString(in), in.readBoolean()));
        }
        return new LostAttempts(List.copyOf(attempts));
    }
}
