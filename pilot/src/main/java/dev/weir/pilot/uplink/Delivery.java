package dev.weir.pilot.uplink;

/** A job that this pilot was given. Until it is acknowledged, Weir gives it to another pilot when this one is lost. */
public interface Delivery {

    /** The job's JSON. */
    byte[] body();

    /** The pool that it came from. */
    String pool();

    /** This pilot has it: the broker has the report that it starts. */
    void acknowledge();

    /** Drops it: no pilot could use it. */
    void reject();

    /** Leaves it to another pilot. */
    void giveBack();
}
