package dev.weir.engine;

import java.util.List;

/**
 * One lane of a pure core, as a shell runs it: events in, effects out, the state in a {@link dev.weir.engine.store.Store}. No threads, no
 * clock, no I/O. Not safe for use by several threads; it does not notice changes of the store by others.
 *
 * @param <E> events
 * @param <F> effects
 */
public interface Core<E, F> {

    /**
     * Applies one event, all or nothing. When it returns, the store has the new state. When it throws, the store is as before, and the
     * next event builds the memory from the store again; the caller then rejects the event's message with the exception.
     *
     * @param nowMillis milliseconds since 1970. A time up to a minute before the last one counts as the last one. An earlier one counts as
     *     a restart: the memory is built again, which costs as much, and nothing waits for longer than it may wait from then on. Leases
     *     do not depend on it
     * @return the effects in their order; the list belongs to the caller
     */
    List<F> apply(E event, long nowMillis);

    /**
     * When a tick is needed if nothing else happens, in milliseconds since 1970; {@link Long#MAX_VALUE} for never. May lie in the past,
     * which means at once; {@link Long#MIN_VALUE} before the first event, because the state has not been read yet.
     */
    long nextDeadlineMillis();

    /** What went wrong inside since the last call, in sentences for the log. */
    List<String> takeProblems();
}
