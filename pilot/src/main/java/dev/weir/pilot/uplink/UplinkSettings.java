package dev.weir.pilot.uplink;

import dev.weir.protocol.Notice;
import java.util.List;
import java.util.function.Consumer;

/** Which way a pilot reaches Weir. */
public interface UplinkSettings {

    /** The pools to take jobs from, the preferred one first; at least one. */
    List<String> pools();

    /** Where reports go, as the user gave it, without a secret: pilots take over what others left that have the same. */
    String address();

    /**
     * The way itself; it does not connect yet.
     *
     * @param notices receives every valid notice, in a thread of its own; must not block
     * @throws IllegalArgumentException when the address is none
     */
    Uplink uplink(String pilotId, Consumer<Notice> notices);
}
