package dev.weir.job.dataset;

import java.io.Serializable;

/** The number and total size of the messages that wait for DSM, both limited. Thread-safe. */
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

    /** False if there is no room. A single message always has room, whatever its size. */
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
