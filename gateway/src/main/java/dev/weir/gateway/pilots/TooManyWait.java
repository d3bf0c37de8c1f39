package dev.weir.gateway.pilots;

/** The gateway lets no further pilot wait. */
public final class TooManyWait extends RuntimeException {

    private TooManyWait(String what) {
        super(what + "; ask again later, or another gateway");
    }

    static TooManyWait forJobs(int most) {
        return new TooManyWait(
                most + " requests of pilots wait for jobs here already, or have one that is not reported");
    }

    static TooManyWait forNotices(int most) {
        return new TooManyWait(most + " requests of pilots wait for notices here already");
    }
}
