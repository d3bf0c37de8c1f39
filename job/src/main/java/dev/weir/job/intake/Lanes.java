package dev.weir.job.intake;

import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Route;
import java.io.Serializable;
import org.apache.flink.util.MathUtils;

/**
 * Finds the lane of a message: hash(task uid) mod lanes. The hash is Flink's murmur, not {@code String.hashCode} alone,
 * because uids that differ in their last digits must spread.
 *
 * @param count number of lanes, from 1; fixed for the life of a savepoint
 */
public record Lanes(int count) implements Serializable {

    public Lanes {
        if (count < 1) {
            throw new IllegalArgumentException("weir.lanes must be at least 1, got " + count);
        }
    }

    public int ofTask(String taskUid) {
        return MathUtils.murmurHash(taskUid.hashCode()) % count;
    }

    /** The lane that made a route. A missing route is accepted if there is only one lane. */
    public int ofRoute(String route) {
        if (route == null && count == 1) {
            return 0;
        }
        Route decoded = Route.decode(route);
        if (decoded.lane() >= count) {
            throw new InvalidMessage("route", "route names lane " + decoded.lane() + " of " + count);
        }
        return decoded.lane();
    }
}
