package dev.weir.protocol;

/** The numbers of the protocol page that bind both sides of the wire. */
public final class Limits {

    /** Largest message body, in bytes. */
    public static final int MAX_MESSAGE_BYTES = 1 << 20;

    /** How much of a rejected message's body is kept, in bytes. */
    public static final int MAX_REJECTED_BODY_BYTES = 64 << 10;

    public static final double MIN_RANK = 0;
    public static final double MAX_RANK = 1000;
    public static final int MIN_WEIGHT = 1;
    public static final int MAX_WEIGHT = 100;
    public static final int MAX_RETRY = 100;

    /** Most input files of one Merge job. */
    public static final int MAX_FILES_PER_JOB = 10_000;

    /** Most names in one part of a closing check-list. */
    public static final int MAX_CHECK_LIST_PART = 10_000;

    /** Pools that a pilot says it serves. */
    public static final int MAX_POOLS = 32;

    /** Most limit groups that a task or a file names. */
    public static final int MAX_GROUPS = 32;

    /** Longest name of a limit group, in UTF-16 code units. */
    public static final int MAX_GROUP_LENGTH = 256;

    /** Longest {@code args} of a task, in bytes of JSON. */
    public static final int MAX_ARGS_BYTES = 64 << 10;

    /** Longest name of a file, in bytes of JSON. */
    public static final int MAX_NAME_BYTES = 1024;

    /** Longest program, storage URL or path, in bytes of JSON. So no job is too large for a message. */
    public static final int MAX_URL_BYTES = 4096;

    private Limits() {}
}
