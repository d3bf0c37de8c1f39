package dev.weir.scheduler.limit;

/** One who waits in a test: of pool cpu, for himself, in turn, and uses what he is woken for; a test overrides what it is about. */
class Waiting implements Group.Waiter {

    private final String pool;

    Waiting(String pool) {
        this.pool = pool;
    }

    @Override
    public String pool() {
        return pool;
    }

    @Override
    public Object owner() {
        return this;
    }

    @Override
    public boolean takesTurns() {
        return true;
    }

    @Override
    public boolean waitsFor(Group group) {
        return true;
    }

    @Override
    public boolean goesBefore(Group.Waiter other) {
        return false;
    }

    @Override
    public boolean wake(Group group) {
        return true;
    }
}
