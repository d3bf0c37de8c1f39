package dev.weir.job.dataset;

import java.io.Serializable;

/** How many messages wait for DSM, and how large they are together; both have a limit. May be used by several threads. */
final class Waiting implements Serializable {

    private static final long serialVersionUID = 1;

    private final int most;
    private final long mostBytes;
    private int now;
    private long bytesNow;

    Waiting(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** False if there is no room. A single message always finds room, however large. */
    synchronized boolean enter(int bytes) {
        if (now >= most || now > 0 && bytesNow + bytes > mostBytes) {
            return false;
        }
        now++;
        bytesNow += bytes;
        return true;
    }

    synchronized void leave(int bytes) {
        now--;
        bytesNow -= bytes;
    }
}
