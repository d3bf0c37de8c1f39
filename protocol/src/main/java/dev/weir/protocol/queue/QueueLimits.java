package dev.weir.protocol.queue;

/** The numbers of queues that hold for both sides. */
public final class QueueLimits {

    /** Maximum length of a key, in bytes of JSON. */
    public static final int MAX_KEY_BYTES = 1024;

    /** Maximum length of a payload or result, in bytes of JSON. */
    public static final int MAX_PAYLOAD_BYTES = 64 << 10;

    /** Maximum number of lists and objects in a payload or result that lie in one another: what is around it must not make it unreadable. */
    public static final int MAX_PAYLOAD_DEPTH = 100;

    /** The best priority is 1. */
    public static final int WORST_PRIORITY = 1_000_000;

    public static final int DEFAULT_PRIORITY = 3;

    /** The kind and the owner of an item that names none. */
    public static final String DEFAULT = "default";

    /** Maximum number of facts of an item, and of facts with weights. */
    public static final int MAX_FACTS = 16;

    /** Maximum length of a digest, in characters. */
    public static final int MAX_DIGEST_LENGTH = 256;

    /** Maximum number of kinds that a pop or peek asks for. */
    public static final int MAX_KINDS = 32;

    /** Maximum number of items that one pop gives, or a peek shows. */
    public static final int MAX_ITEMS = 256;

    /** A pop or peek gives no further item once its items have so many bytes in JSON, so that they fit in a message, also with the last one. */
    public static final int ENOUGH = 512 << 10;

    /** Maximum number of queues, because one message describes all. */
    public static final int MAX_QUEUES = 1_000;

    /** Maximum number of entries in one message to the queues, and of answers in one from them. */
    public static final int MAX_ENTRIES = 1_000;

    /** Maximum time that a pop waits for an item in one request to the queues, in milliseconds. */
    public static final int MAX_WAIT_MILLIS = 5_000;

    /** Maximum time of a lease without a sign of life, in seconds. */
    public static final int MAX_LEASE_SECONDS = 7 * 24 * 3600;

    /** Maximum time for which a worker may hold a group, in seconds. */
    public static final int MAX_HOLD_SECONDS = 7 * 24 * 3600;

    /** Maximum number of items of a queue that are not dead. */
    public static final int MAX_QUEUE_ITEMS = 10_000_000;

    private QueueLimits() {}
}
