package dev.weir.scheduler.pilot;

import dev.weir.protocol.Notice;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;

/** Notices to pilots. */
public final class Notices {

    private final Lane lane;

    public Notices(Lane lane) {
        this.lane = lane;
    }

    /** Repeats the order to stop to the owner of a job, in case the notice was lost. */
    public void stop(LiveJob job) {
        JobRecord r = job.record;
        boolean cancel = r.order == Order.CANCEL;
        String reason = cancel ? "the task was cancelled" : r.errorMessage;
        about(r.pilot, r.uid, r.attempt, cancel ? Notice.Kind.CANCEL : Notice.Kind.KILL, reason);
    }

    /** Sends a pilot a notice about an attempt. */
    public void about(String pilotId, String jobUid, int attempt, Notice.Kind kind, String reason) {
        send(pilotId, new Notice(kind, jobUid, attempt, reason));
    }

    /** Orders a pilot to take no job for the length of a lease. */
    void drain(String pilotId, String reason) {
        int leaseS = (int) Math.max(1, lane.options.pilots().lease().toSeconds());
        send(pilotId, Notice.drain(leaseS, reason));
    }

    /** Allows a pilot to take jobs again. */
    void resume(String pilotId) {
        send(pilotId, Notice.resume("pilot " + pilotId + " may take jobs again"));
    }

    private void send(String pilotId, Notice notice) {
        lane.effects.add(new Effect.SendNotice(pilotId, notice));
    }
}
