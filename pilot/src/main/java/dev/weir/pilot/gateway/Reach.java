package dev.weir.pilot.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the gateway answers, and when the pilot gives up. Safe for use from many threads. */
final class Reach {

    private static final Logger LOG = LoggerFactory.getLogger(Reach.class);

    private final String pilotId;
    private final String gateway;
    private final Duration reconnectFor;
    private final LongSupplier nanos;
    /** Since when nothing was answered; counts only while it is not up. A long poll is answered late when all is well. */
    private long failingSinceNanos;

    private boolean isUp;
    private boolean wasUp;
    private String lastReason = "";
    private String gaveUp;

    Reach(String pilotId, GatewaySettings settings) {
        this(pilotId, settings, System::nanoTime);
    }

    /** @param nanos the clock */
    Reach(String pilotId, GatewaySettings settings, LongSupplier nanos) {
        this.pilotId = pilotId;
        this.gateway = settings.url().toString();
        this.reconnectFor = settings.reconnectFor();
        this.nanos = nanos;
        failingSinceNanos = nanos.getAsLong();
    }

    synchronized void answered() {
        if (!isUp) {
            LOG.info("Pilot {} is connected to {}", pilotId, gateway);
        }
        isUp = true;
        wasUp = true;
        lastReason = "";
    }

    synchronized void failed(Throwable cause) {
        if (isUp) {
            failingSinceNanos = nanos.getAsLong();
        }
        isUp = false;
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (!reason.equals(lastReason)) {
            lastReason = reason;
            LOG.warn("The gateway {} did not do what was asked: {}; trying again", gateway, reason);
        }
        boolean isTokenWrong = cause instanceof RefusedRequest refused && refused.isAboutToken();
        if (isTokenWrong && !wasUp) {
            gaveUp = gateway + " refuses the token: " + reason;
        } else if (nanos.getAsLong() - failingSinceNanos > reconnectFor.toNanos()) {
            gaveUp = "no connection to " + gateway + " for " + reconnectFor + ": " + reason;
        }
    }

    synchronized boolean isUp() {
        return isUp;
    }

    /** Null while it tries. */
    synchronized String gaveUp() {
        return gaveUp;
    }

    /** What made a request fail. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof IOException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
