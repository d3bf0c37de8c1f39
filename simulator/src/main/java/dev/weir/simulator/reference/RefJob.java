package dev.weir.simulator.reference;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Result;
import java.util.ArrayList;
import java.util.List;

/** One job of the reference; of a file that has been read. */
final class RefJob {

    enum Phase {
        WAITING,
        QUEUED,
        STARTING,
        RUNNING,
        COOLING,
        /** To be tried again now. */
        DUE,
        FINISHED,
        FAILED,
        KILLED,
        CANCELLED;

        boolean isStarted() {
            return this == STARTING || this == RUNNING;
        }

        boolean isOut() {
            return this == QUEUED || isStarted();
        }

        boolean isOver() {
            return ordinal() >= FINISHED.ordinal();
        }
    }

    /** What its pilot was told to do. */
    enum Order {
        NONE,
        KILL,
        CANCEL
    }

    /** An attempt whose lease ran out. */
    record Lost(int attempt, String pilot, boolean stopped) {}

    private static final int MOST_LOST = 16;

    final RefTask task;
    final int position;
    /** Of its file; 0 for a Merge job. */
    final int filePriority;

    final long readAt;
    final List<String> groups;
    String uid;
    /** Changed by {@link #become} alone, which counts. */
    Phase phase = Phase.WAITING;

    Order order = Order.NONE;
    int attempt;
    String pilot;
    int payloadFailures;
    int systemFailures;
    /** When the first of its failures by the system's fault in a row was; 0 for none. */
    long systemFailingSince;
    /** Since when its attempts have not found their input or program; 0 when the last one did. */
    long missingSince;
    /** How its last attempt has failed; null when that is not known. */
    ErrorType lastError;

    int orderedStops;
    /** When it is tried again, in milliseconds since 1970; and the event in which that was found to be over. */
    long dueAt;

    long dueSince;
    /** On the clock of beats. */
    long leaseUntil;
    /** When its attempt has taken too long, in milliseconds since 1970; and whether it has. */
    long overdueAt;

    boolean overdue;
    /** By command; 0 for none. */
    int givenPriority;

    long givenAt;
    /** The last attempt of which everything is registered. */
    int registered;

    String output;
    int outputOf;
    final List<String> logs = new ArrayList<>();
    final List<Lost> lost = new ArrayList<>();

    RefJob(RefTask task, int position, int filePriority, long readAt, List<String> groups) {
        this.task = task;
        this.position = position;
        this.filePriority = filePriority;
        this.readAt = readAt;
        this.groups = groups;
    }

    void become(Phase next) {
        task.counts[phase.ordinal()]--;
        task.counts[next.ordinal()]++;
        phase = next;
    }

    void lose(boolean stopped) {
        lost.add(new Lost(attempt, pilot, stopped));
        if (lost.size() > MOST_LOST) {
            lost.remove(0);
        }
    }

    /** Its pilot was told to stop because it must not run the job. */
    boolean isUnwanted() {
        return order == Order.KILL && !overdue;
    }

    /** Its pilot was told to stop because it took too long. */
    boolean isOverdue() {
        return order == Order.KILL && overdue;
    }

    /** Whether this result of a lost attempt finishes the job after all. */
    boolean mayFinish(Result result) {
        return result != null
                && result.status() == Result.Outcome.FINISHED
                && lost.stream().anyMatch(one -> one.attempt == result.attempt());
    }

    /** The failure of a lost attempt is known now; null when it was not lost, or another pilot reports it. */
    Lost endsLost(Result result) {
        for (Lost one : lost) {
            if (one.attempt == result.attempt() && one.pilot.equals(result.pilotId())) {
                lost.remove(one);
                return one;
            }
        }
        return null;
    }

    /** Smaller goes first. A file that has waited for too long falls to {@code demoteTo}, and none rises by that. */
    int priority(long now, int demoteTo) {
        int own = givenPriority > 0 ? givenPriority : filePriority;
        long since = givenPriority > 0 ? Math.max(readAt, givenAt) : readAt;
        Integer after = task.spec.demoteAfterS();
        boolean tooLong = after != null && now - since >= after * 1000L;
        return tooLong ? Math.max(own, demoteTo) : own;
    }

    @Override
    public String toString() {
        return "job " + position + " of " + task.spec.uid() + " (" + phase + ", attempt " + attempt + ")";
    }
}
