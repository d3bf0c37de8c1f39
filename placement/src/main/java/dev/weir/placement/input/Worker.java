package dev.weir.placement.input;

import java.util.Objects;

/**
 * A worker that stores chunks.
 *
 * @param id its name, 1 to 4,096 characters; {@link PlacementConfig#idEncoding} says which bytes are hashed
 * @param capacityBytes what it can store, 0 to 2^60
 * @param status whether it counts for availability
 */
public record Worker(String id, long capacityBytes, WorkerStatus status) {

    /** The largest capacity of one worker. */
    public static final long MAX_CAPACITY_BYTES = 1L << 60;

    /** The longest id: decoding base 58 takes time with its square. */
    public static final int MAX_ID_CHARACTERS = 4_096;

    public Worker {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(status, "status");
        if (id.isEmpty()) {
            throw new IllegalArgumentException("a worker's id must not be empty");
        }
        if (id.length() > MAX_ID_CHARACTERS) {
            throw new IllegalArgumentException(
                    "a worker's id has " + id.length() + " characters; at most " + MAX_ID_CHARACTERS + " are allowed");
        }
        if (capacityBytes < 0 || capacityBytes > MAX_CAPACITY_BYTES) {
            throw new IllegalArgumentException(
                    "capacity of worker '" + id + "' is " + capacityBytes + "; it must be 0 to 2^60 bytes");
        }
    }
}
