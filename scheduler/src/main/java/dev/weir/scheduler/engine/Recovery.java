package dev.weir.scheduler.engine;

/**
 * Builds an application and its memory from the session's store: at the first event, after a restart and after an event that failed.
 *
 * @param <E> events
 * @param <F> effects
 */
public interface Recovery<E, F> {

    /** Reads the store; what it corrects in it is written with the event that is applied next. */
    Application<E> recover(Session<F> session);
}
