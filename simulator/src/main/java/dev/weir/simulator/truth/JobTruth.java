package dev.weir.simulator.truth;

import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Result;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must be true of one job. */
final class JobTruth {

    /** An attempt that has ended, as its owner told. */
    record Ended(int attempt, boolean finished, String outUrl, String logUrl) {}

    final TaskTruth task;
    final int position;
    String uid;
    /** Whether it has ever been anything but waiting for its first release. */
    boolean touched;

    JobStatus status = JobStatus.WAITING;
    /** The newest known to have been sent; 0 for none. */
    int attempt;

    String owner;
    int payloadFailures;
    int systemFailures;
    /** On the clock of beats. */
    long renewedAt;
    /** When the message of the present attempt was sent last, in milliseconds since 1970. */
    long sentAt;
    /** When its page came, in milliseconds since 1970. */
    long readAt;
    /** By command, since when; 0 for none. In milliseconds since 1970. */
    int givenPriority;

    long priorityGivenAt;
    /** Since when it cools, in milliseconds since 1970. */
    long failedAt;
    /** Over while queued: its message is still in the queue and takes a place in the window, since then; -1: it does not. */
    long ghostSince = -1;
    /** Retried by command: its budgets are no longer ours to know. */
    boolean retried;
    /** Adopted, or known from a pilot that may not work: several outcomes are right. */
    boolean adopted;
    /** We told its pilot to stop it, for it is to run elsewhere. */
    boolean killOrdered;
    /** Attempts that ended after we told their pilot so. */
    int orderedKills;

    List<Ended> ended = List.of();
    /** Ends that were told too late to count; their logs may be kept. */
    List<Ended> late = List.of();
    /** Attempts that were lost and whose ends nobody has told. */
    private Set<Integer> lost = Set.of();
    /** It had failed for good, with its logs registered, before it finished. */
    boolean finishedAfterAll;
    /** By attempt, from 1. */
    private String[] owners = {};

    int outputsRegistered;

    private JobTruth lastCopy;

    JobTruth(TaskTruth task, int position) {
        this.task = task;
        this.position = position;
    }

    JobTruth copy(TaskTruth into) {
        JobTruth copy = new JobTruth(into, position);
        copy.uid = uid;
        copy.touched = touched;
        copy.status = status;
        copy.attempt = attempt;
        copy.owner = owner;
        copy.payloadFailures = payloadFailures;
        copy.systemFailures = systemFailures;
        copy.renewedAt = renewedAt;
        copy.sentAt = sentAt;
        copy.failedAt = failedAt;
        copy.readAt = readAt;
        copy.givenPriority = givenPriority;
        copy.priorityGivenAt = priorityGivenAt;
        copy.ghostSince = ghostSince;
        copy.retried = retried;
        copy.adopted = adopted;
        copy.ended = ended;
        copy.late = late;
        copy.lost = lost;
        copy.finishedAfterAll = finishedAfterAll;
        copy.killOrdered = killOrdered;
        copy.orderedKills = orderedKills;
        copy.owners = owners;
        copy.outputsRegistered = outputsRegistered;
        lastCopy = copy;
        return copy;
    }

    /** What {@link #copy} made last, so that those who point to this job can point to it. */
    JobTruth lastCopy() {
        return lastCopy;
    }

    void own(String pilot) {
        owner = pilot;
        owners = java.util.Arrays.copyOf(owners, Math.max(owners.length, attempt + 1));
        owners[attempt] = pilot;
    }

    String ownerOf(int ofAttempt) {
        return ofAttempt < owners.length ? owners[ofAttempt] : null;
    }

    boolean is(int set) {
        return Statuses.in(status, set);
    }

    /** Read, and never released. */
    boolean waits() {
        return attempt == 0 && is(Statuses.WAITING) && task.isRead(this);
    }

    boolean isOwnedBy(String pilot, int ofAttempt) {
        return is(Statuses.OWNED) && attempt == ofAttempt && pilot.equals(owner);
    }

    void lost() {
        lost = new HashSet<>(lost);
        lost.add(attempt);
    }

    /** Whether this attempt may finish the job although that has failed for good. */
    boolean mayFinishAfterAll(Result result) {
        return is(Statuses.FAILED | Statuses.KILLED)
                && task.closeParts == 0
                && result.status() == Result.Outcome.FINISHED
                && (outputsRegistered == 0 || retried)
                && (wasLost(result) || adopted && ended.stream().noneMatch(end -> end.attempt() == result.attempt()));
    }

    void failedLate(Result result) {
        if (mayKnow(result)) {
            lost = new HashSet<>(lost);
            lost.remove(result.attempt());
        }
    }

    /** Whether the pilot owned the attempt, or may have in a time that is forgotten: others know nothing of its end. */
    private boolean mayKnow(Result result) {
        String known = ownerOf(result.attempt());
        return known == null ? result.status() != Result.Outcome.CANCELLED : known.equals(result.pilotId());
    }

    /** Whether its lease ran out, and nobody has told its end since. */
    boolean wasLost(Result result) {
        return lost.contains(result.attempt());
    }

    void end(Result result) {
        ended = with(ended, result);
    }

    void endLate(Result result) {
        if (mayKnow(result)) {
            late = with(late, result);
        }
    }

    private static List<Ended> with(List<Ended> before, Result result) {
        List<Ended> more = new ArrayList<>(before);
        more.add(new Ended(
                result.attempt(),
                result.status() == Result.Outcome.FINISHED,
                result.fileOutUrl(),
                result.fileLogUrl()));
        return more;
    }

    @Override
    public String toString() {
        return "job " + (uid == null ? task.task.uid() + "#" + position : uid) + " (" + status + ", attempt " + attempt
                + (owner == null ? "" : " at " + owner) + ")";
    }
}
