package dev.weir.protocol;

/** The limits of the protocol page, which apply to both sides. */
public final class Limits {

    /** Maximum size of a message body, in bytes. */
    public static final int MAX_MESSAGE_BYTES = 1 << 20;

    /** Maximum part of a rejected message's body that is kept, in bytes. */
    public static final int MAX_REJECTED_BODY_BYTES = 64 << 10;

    public static final double MIN_RANK = 0;
    public static final double MAX_RANK = 1000;
    public static final int MIN_WEIGHT = 1;
    public static final int MAX_WEIGHT = 100;
    public static final int MAX_RETRY = 100;

    /** Maximum number of input files of one Merge job. */
    public static final int MAX_FILES_PER_JOB = 10_000;

    /** Maximum number of names in one part of a check-list. */
    public static final int MAX_CHECK_LIST_PART = 10_000;

    /** Maximum number of files that a task brings along. More do not fit in a message, whatever they are called. */
    public static final int MAX_TARGETS = 32_768;

    /** Maximum number of jobs that a Merge task makes of them: such a task is in memory with all its jobs while it waits for its turn. */
    public static final int MAX_MERGE_JOBS_OF_TARGETS = 1_000;

    /** Maximum number of pools that a pilot serves. */
    public static final int MAX_POOLS = 32;

    /** Maximum number of limit groups of a task or a file. */
    public static final int MAX_GROUPS = 32;

    /** Maximum length of the name of a limit group, in UTF-16 code units. */
    public static final int MAX_GROUP_LENGTH = 256;

    /** Maximum length of a task's {@code args}, in bytes of JSON. */
    public static final int MAX_ARGS_BYTES = 64 << 10;

    /** Maximum length of a file name, in bytes of JSON. */
    public static final int MAX_NAME_BYTES = 1024;

    /** Maximum length of a program, storage URL or path, in bytes of JSON. It keeps every job below the size of a message. */
    public static final int MAX_URL_BYTES = 4096;

    /** Maximum length of a task's {@code dat_out_url}, in bytes of JSON: with a job's directory it is a path of {@link #MAX_URL_BYTES}. */
    public static final int MAX_OUTPUT_DIRECTORY_BYTES = 3 << 10;

    /** Maximum length of the URL of one file, or of its path: storage, directory and name, in bytes of JSON. */
    public static final int MAX_FILE_URL_BYTES = 4 * MAX_URL_BYTES;

    /** Maximum length of what names a person, machine, ranker or message, of a checksum and of a route, in UTF-16 code units. */
    public static final int MAX_LABEL_LENGTH = 256;

    /** Maximum length of a sentence for people, in UTF-16 code units; Weir cuts longer ones. */
    public static final int MAX_SENTENCE_LENGTH = 4096;

    /** Maximum length of the field of a rejected message, with its path, in UTF-16 code units; Weir cuts longer ones. */
    public static final int MAX_FIELD_LENGTH = 1024;

    /** Maximum number of seconds that a pilot may let the gateway wait for a job. */
    public static final int MAX_POP_WAIT_SECONDS = 60;

    /** Maximum number of reports in one request to the gateway. */
    public static final int MAX_REPORTS = 1000;

    private Limits() {}
}
