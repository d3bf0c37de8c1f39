package dev.weir.engine;

/**
 * Builds an application and its memory from the session's store: at the first event, after a restart and after an event that failed.
 *
 * @param <E> events
 * @param <F> effects
 */
public interface Recovery<E, F> {

    /** The recovery found something that it has to leave out: it is to be done once more, from the start. */
    final class Again extends RuntimeException {
        public Again(String reason, Throwable cause) {
            super(reason, cause);
        }
    }

    /** Reads the store; what it corrects in it is written with the event that is applied next. */
    Application<E> recover(Session<F> session);
}
