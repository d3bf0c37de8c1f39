package dev.weir.engine;

/** Something that is due at a time. It carries what kind of thing that is and what it is about. Lives in one {@link TimerHeap}. */
public final class Timer {

    private final Enum<?> kind;
    private final Object subject;

    long at = Long.MAX_VALUE;
    boolean set;
    /** Where its heap has it, set or not; -1 when it is not there. */
    int slot = -1;

    public Timer(Enum<?> kind, Object subject) {
        this.kind = kind;
        this.subject = subject;
    }

    public Enum<?> kind() {
        return kind;
    }

    public Object subject() {
        return subject;
    }

    /** When it is due; only while it is set. */
    public long at() {
        return at;
    }

    public boolean isSet() {
        return set;
    }
}
