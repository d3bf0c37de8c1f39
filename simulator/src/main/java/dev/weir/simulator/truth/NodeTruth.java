package dev.weir.simulator.truth;

/** What must be true of one node at which something failed. */
final class NodeTruth {

    final String name;
    /** Failures in a row, as many as we are sure of and as many as there may be. */
    int least;

    int most;
    /** Set aside until then, in milliseconds since 1970, surely and perhaps; 0: it is not, nor is it being tried again. */
    long surelyUntil;

    long perhapsUntil;
    /** Its pilots have not been told yet that the time is over. */
    boolean isResumeDue;
    /** The one job that tries it again; null before there is one. */
    JobTruth probe;

    /** Whether we know which that is. */
    boolean isProbeKnown = true;

    /** In the present event: failures, and whether one of them surely counted. */
    int failedNow;

    boolean surelyFailedNow;
    /** And whether something finished; in which order we can't tell. */
    boolean workedNow;

    NodeTruth(String name) {
        this.name = name;
    }

    NodeTruth copy() {
        NodeTruth copy = new NodeTruth(name);
        copy.least = least;
        copy.most = most;
        copy.surelyUntil = surelyUntil;
        copy.perhapsUntil = perhapsUntil;
        copy.isResumeDue = isResumeDue;
        copy.isProbeKnown = isProbeKnown;
        copy.probe = probe == null ? null : probe.lastCopy();
        return copy;
    }

    void setAside(long until) {
        surelyUntil = until;
        perhapsUntil = until;
        isResumeDue = true;
        probeIs(null);
    }

    /** We can't tell whether it is set aside. */
    void doubt(long until) {
        surelyUntil = 0;
        perhapsUntil = until;
        isResumeDue = false;
        doubtProbe();
        most += workedNow ? failedNow : 0;
        least = workedNow ? 0 : least;
    }

    /** Others have gone, so that it is tried again before its time. */
    void tryNow(long now) {
        surelyUntil = now;
        perhapsUntil = now;
        isResumeDue = false;
        probeIs(null);
    }

    /** Others may have gone, and we can't tell whether it is tried again before its time. */
    void mayBeTriedNow() {
        surelyUntil = 0;
        isResumeDue = false;
        doubtProbe();
    }

    void probeIs(JobTruth job) {
        probe = job;
        isProbeKnown = true;
    }

    void doubtProbe() {
        probe = null;
        isProbeKnown = false;
    }

    void free() {
        surelyUntil = 0;
        perhapsUntil = 0;
        isResumeDue = false;
        probeIs(null);
    }

    boolean isSurelyAside(long now) {
        return surelyUntil > now;
    }

    boolean mayBeAside(long now) {
        return perhapsUntil > now;
    }

    boolean isSurelyOnTrial(long now) {
        return surelyUntil != 0 && surelyUntil <= now;
    }
}
