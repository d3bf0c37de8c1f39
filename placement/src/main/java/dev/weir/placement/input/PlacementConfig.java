package dev.weir.placement.input;

import java.util.Locale;
import java.util.Objects;

/**
 * How to place.
 *
 * @param order in which order virtual chunks look for a worker; default {@link Order#CHUNK}
 * @param mode how many replicas a chunk gets; default {@link Mode#COMPATIBLE}
 * @param rings K, how many rings there are, 1 to 65,536; default 6,000. Another K is another assignment.
 * @param saturation which share of the whole capacity may be spent, above 0 and at most 1; default 0.99
 * @param minReplication how many workers must hold each chunk, 1 to 65,534; default 1
 * @param idEncoding which bytes worker ids stand for; default {@link IdEncoding#UTF8}
 */
public record PlacementConfig(
        Order order, Mode mode, int rings, double saturation, int minReplication, IdEncoding idEncoding) {

    /** Ring numbers are hashed as 16 bits. */
    public static final int MAX_RINGS = 1 << 16;

    /** Replica numbers are hashed as 16 bits, and the last of them is kept for rounding in {@link Mode#FULL}. */
    public static final int MAX_REPLICATION = (1 << 16) - 2;

    /** Everything by default. */
    public static final PlacementConfig DEFAULT =
            new PlacementConfig(Order.CHUNK, Mode.COMPATIBLE, 6_000, 0.99, 1, IdEncoding.UTF8);

    public PlacementConfig {
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(idEncoding, "idEncoding");
        if (rings < 1 || rings > MAX_RINGS) {
            throw new IllegalArgumentException("rings is " + rings + "; it must be 1 to " + MAX_RINGS);
        }
        if (!(saturation > 0 && saturation <= 1)) {
            throw new IllegalArgumentException("saturation is " + saturation + "; it must be above 0 and at most 1");
        }
        if (minReplication < 1 || minReplication > MAX_REPLICATION) {
            throw new IllegalArgumentException(
                    "min_replication is " + minReplication + "; it must be 1 to " + MAX_REPLICATION);
        }
    }

    /**
     * The bytes that a worker's id stands for.
     *
     * @throws IllegalArgumentException when the id is not written in the configured encoding; names it
     */
    public byte[] idBytes(String id) {
        try {
            return idEncoding.decode(id);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "the id of worker '" + id + "' is not " + idEncoding.name().toLowerCase(Locale.ROOT) + ": "
                            + malformed.getMessage(),
                    malformed);
        }
    }

    /** The same with another order. */
    public PlacementConfig with(Order other) {
        return new PlacementConfig(other, mode, rings, saturation, minReplication, idEncoding);
    }

    /** The same with another mode. */
    public PlacementConfig with(Mode other) {
        return new PlacementConfig(order, other, rings, saturation, minReplication, idEncoding);
    }

    /** The same with another minimum of replicas. */
    public PlacementConfig withMinReplication(int other) {
        return new PlacementConfig(order, mode, rings, saturation, other, idEncoding);
    }

    /** The same with another number of rings. */
    public PlacementConfig withRings(int other) {
        return new PlacementConfig(order, mode, other, saturation, minReplication, idEncoding);
    }

    /** The same with another saturation. */
    public PlacementConfig withSaturation(double other) {
        return new PlacementConfig(order, mode, rings, other, minReplication, idEncoding);
    }
}
