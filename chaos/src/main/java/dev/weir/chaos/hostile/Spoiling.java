package dev.weir.chaos.hostile;

import java.util.Locale;

/** What is wrong with a message. */
public enum Spoiling {
    /** Ends somewhere, maybe before it begins. */
    TRUNCATED(100),
    /** No JSON object at all. */
    GARBAGE(100),
    /** A required field is away. */
    MISSING(100),
    /** A required field has another type. */
    WRONG_TYPE(100),
    /** A number is far outside its limits. */
    OUT_OF_RANGE(100),
    /** A text that does harm elsewhere: quotes, NUL, paths, formats, other scripts, long ones. */
    STRING(100),
    /** A field that nobody knows. */
    UNKNOWN_FIELD(60),
    /** A field comes twice. */
    DUPLICATE(100),
    /** Bytes that are not UTF-8. */
    BYTES(100),
    /** A good message of another queue. */
    MISPLACED(60),
    /** One that came before, of the good traffic or of this. */
    REPLAY(100),
    /** Thousands of brackets in each other. */
    DEEP(10),
    /** More than a message may have, up to 2 MiB. */
    HUGE(1);

    private final int share;

    Spoiling(int share) {
        this.share = share;
    }

    int share() {
        return share;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
