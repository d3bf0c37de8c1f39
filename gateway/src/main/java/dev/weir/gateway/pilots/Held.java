package dev.weir.gateway.pilots;

import dev.weir.gateway.broker.JobChannel;
import dev.weir.protocol.Report;

/** A job that was given to a pilot, which has not reported it yet. Its message is not acknowledged. */
record Held(String pilot, JobChannel channel, long tag, String jobUid, int attempt) {

    boolean isAbout(Report report) {
        return pilot.equals(report.pilotId())
                && jobUid.equals(report.jobUid())
                && Integer.valueOf(attempt).equals(report.attempt());
    }
}
