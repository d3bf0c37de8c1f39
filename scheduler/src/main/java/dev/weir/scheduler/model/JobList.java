package dev.weir.scheduler.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Jobs in the order in which they were added, linked through themselves: every job comes and goes once, and a set would make an
 * object for each and look its uid up. A job is in one list at most.
 */
public final class JobList {

    private LiveJob first;
    private LiveJob last;
    private int size;

    public int size() {
        return size;
    }

    public void add(LiveJob job) {
        job.before = last;
        if (last == null) {
            first = job;
        } else {
            last.after = job;
        }
        last = job;
        size++;
    }

    /** Nothing happens when it is not here. */
    public void remove(LiveJob job) {
        if (job.before == null && first != job) {
            return;
        }
        if (job.before == null) {
            first = job.after;
        } else {
            job.before.after = job.after;
        }
        if (job.after == null) {
            last = job.before;
        } else {
            job.after.before = job.before;
        }
        job.before = null;
        job.after = null;
        size--;
    }

    /** The first of those that match, in order. */
    public List<LiveJob> first(int most, Predicate<LiveJob> which) {
        List<LiveJob> jobs = new ArrayList<>();
        for (LiveJob job = first; job != null && jobs.size() < most; job = job.after) {
            if (which.test(job)) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    /** A copy, in order. */
    public List<LiveJob> jobs() {
        List<LiveJob> jobs = new ArrayList<>(size);
        for (LiveJob job = first; job != null; job = job.after) {
            jobs.add(job);
        }
        return jobs;
    }
}
