package dev.weir.scheduler.limit;

/** For whom a place may be kept in a group: one who waits for another group as well, or all of a pool that has no room for what was woken. */
interface Claimant {

    /** The number that it drew when it began to wait: who drew a lower one has waited longer. */
    long ticket();

    /** Whether it is all of a pool. */
    default boolean isPool() {
        return false;
    }

    /** What is kept for it is to be given back, and it does not ask for that any more. */
    void giveBack(long nowMillis);
}
