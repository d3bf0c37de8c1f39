package dev.weir.scheduler;

import dev.weir.protocol.Job;

/** Jobs that differ in one thing from one that was sent. */
final class Copies {

    private Copies() {}

    /** Another attempt of a job, as if it had been sent before a restore forgot it. */
    static Job attempt(Job job, int number) {
        return with(job, number, job.route());
    }

    /** A job under the route of another one, as a pilot might send it back that mixes them up. */
    static Job routed(Job job, String route) {
        return with(job, job.attempt(), route);
    }

    private static Job with(Job job, int attempt, String route) {
        return new Job(
                job.uid(),
                job.executable(),
                job.args(),
                job.rank(),
                job.deviceType(),
                job.mode(),
                job.taskUid(),
                job.taskNum(),
                job.fileInUrl(),
                job.fileInUrls(),
                job.fileInSizes(),
                job.fileInSize(),
                job.fileInChecksum(),
                job.fileOutUrl(),
                job.fileLogUrl(),
                attempt,
                route,
                job.leaseS(),
                job.timeoutS());
    }
}
