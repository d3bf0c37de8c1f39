package dev.weir.gateway.queues;

/** So many requests wait for answers here that no further one may. */
public final class TooManyAsk extends RuntimeException {

    TooManyAsk(int most, String whose) {
        super(most + " requests" + whose
                + " wait for answers of keys here already; nothing was asked. Ask again later");
    }
}
