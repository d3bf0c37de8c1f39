package dev.weir.gateway.pilots;

/** The gateway lets no further pilot wait. */
public final class TooManyWait extends RuntimeException {

    TooManyWait(int most) {
        super(
                most
                        + " requests of pilots wait for jobs here already, or have one that is not reported; ask again later, or another gateway");
    }
}
