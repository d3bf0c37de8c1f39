package dev.weir.engine;

/**
 * What an {@link Engine} runs: the steps of an event that depend on what the events are about. It lives from one recovery to the next.
 *
 * @param <E> events
 */
public interface Application<E> {

    /** Changes memory as the event demands. Throws {@link Refused}, before any change, when the event cannot be taken. */
    void handle(E event);

    /** A timer of the session's heap is due; its kind and subject say what to do. */
    void fire(Timer timer);

    /** The event at hand cannot be taken. */
    void refuse(Refused refused);

    /**
     * The key of the one thing that the step at hand is about, and without which all other things can go on; null for none. Asked when a
     * step has failed.
     */
    String suspect();

    /**
     * A step that is about this thing has failed in the event at hand, which is applied again: the thing is to take no part in it. Returns
     * whether that is possible; not for what came with the event itself.
     */
    boolean setAside(String suspect, String reason);

    /** Works off all that the event has made necessary. */
    void settle();

    /** Adds the effects that show readers what has changed. */
    void project();

    /** When a tick is needed, in milliseconds since 1970; {@link Long#MAX_VALUE} for never. */
    long nextDeadlineMillis();
}
