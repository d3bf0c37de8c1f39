package dev.weir.gateway.queues;

/** The gateway waits for so many answers of the queues that it asks for no more now. */
public final class TooManyUnanswered extends RuntimeException {

    TooManyUnanswered(int most) {
        super(most
                + " items, pops and questions wait for answers of the queues here already; nothing was sent. Ask again"
                + " later, or another gateway");
    }
}
