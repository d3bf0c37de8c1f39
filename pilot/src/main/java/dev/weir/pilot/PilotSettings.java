package dev.weir.pilot;

import dev.weir.pilot.run.RunSettings;
import dev.weir.pilot.uplink.UplinkSettings;
import dev.weir.protocol.Device;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Names;
import dev.weir.protocol.Uids;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of a pilot.
 *
 * @param id unique among all pilots; part of the names of outputs
 * @param device what the node has
 * @param workDirectory on a local disk, shared by the pilots of one user on a node; each has its own directory in it
 * @param storageRoots directories that {@code file} URLs may reach; none serves no such URL
 * @param httpHosts servers that {@code http} and {@code https} URLs may name; none serves no such URL
 * @param heartbeat interval; shorter while a job has a lease of less than four of them
 * @param maxIdle how long to wait for a job before ending; zero means without limit
 * @param maxJobs how many jobs to run before ending; zero means any number
 * @param closeWait how long to wait at the end for the broker to confirm the last reports
 * @param uplink the way to Weir
 */
public record PilotSettings(
        String id,
        Device device,
        Path workDirectory,
        List<Path> storageRoots,
        List<String> httpHosts,
        Duration heartbeat,
        Duration maxIdle,
        long maxJobs,
        Duration closeWait,
        UplinkSettings uplink,
        RunSettings run) {

    public PilotSettings {
        if (!Uids.isValid(id) || id.equals(Names.NOTICE_ALL)) {
            throw new IllegalArgumentException(
                    "a pilot's id is 1 to 128 of A-Z a-z 0-9 . _ : -, and not all, got '" + id + "'");
        }
        int pools = uplink.pools().size();
        if (pools > Limits.MAX_POOLS || Set.copyOf(uplink.pools()).size() < pools) {
            throw new IllegalArgumentException("a pilot serves at most " + Limits.MAX_POOLS
                    + " pools, each named once, got " + String.join(",", uplink.pools()));
        }
        if (heartbeat.isZero() || heartbeat.isNegative()) {
            throw new IllegalArgumentException("the heartbeat interval must be positive, got " + heartbeat);
        }
        workDirectory = workDirectory.toAbsolutePath().normalize();
        storageRoots = List.copyOf(storageRoots);
        httpHosts = List.copyOf(httpHosts);
    }

    /** The same for one of several slots of a process, whose number from 1 follows the id. */
    PilotSettings withSlot(int number) {
        return new PilotSettings(
                id + "-" + number,
                device,
                workDirectory,
                storageRoots,
                httpHosts,
                heartbeat,
                maxIdle,
                maxJobs,
                closeWait,
                uplink,
                run.withSlot(number - 1));
    }
}
