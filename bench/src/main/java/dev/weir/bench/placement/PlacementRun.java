package dev.weir.bench.placement;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.placement.Assignment;
import dev.weir.placement.Placement;
import dev.weir.placement.hash.SeaHash;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.IdEncoding;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One measured placement in a separate process, so that its memory is measured alone and its code starts cold, as in a job that
 * runs once and ends. Arguments: workers, rings, chunks, replicas, order, mode, repeats. Prints one JSON line.
 */
public final class PlacementRun {

    private static final long CHUNK_BYTES = 200L << 20;

    private PlacementRun() {}

    /** The measurement. */
    public static void main(String[] args) throws Exception {
        int workerCount = Integer.parseInt(args[0]);
        int chunkCount = Integer.parseInt(args[2]);
        int replicas = Integer.parseInt(args[3]);
        PlacementConfig config = new PlacementConfig(
                Order.valueOf(args[4]),
                Mode.valueOf(args[5]),
                Integer.parseInt(args[1]),
                0.99,
                Math.min(2, replicas),
                IdEncoding.HEX);
        int repeats = Integer.parseInt(args[6]);

        Chunks chunks = SyntheticInput.chunks(chunkCount, CHUNK_BYTES, 0, 1);
        long capacity = SyntheticInput.capacity((double) CHUNK_BYTES * chunkCount * replicas, workerCount, config);
        List<Worker> workers = SyntheticInput.workers(workerCount, capacity);

        double[] wallSeconds = new double[repeats];
        double[] cpuSeconds = new double[repeats];
        Map<String, Object> result = new LinkedHashMap<>();
        for (int i = 0; i < repeats; i++) {
            long cpu = cpuNanos();
            long wall = System.nanoTime();
            Assignment assignment = new Placement(config).place(workers, chunks);
            wallSeconds[i] = (System.nanoTime() - wall) / 1e9;
            cpuSeconds[i] = (cpuNanos() - cpu) / 1e9;
            result.put("virtual_chunks", assignment.reliablePass().replication().virtualChunks());
            result.put("unplaced", assignment.reliablePass().unplaced());
            result.put("digest", digest(assignment));
        }
        result.put("wall_s", wallSeconds);
        result.put("cpu_s", cpuSeconds);
        result.put("peak_rss_mib", peakResidentMebibytes());
        System.out.println(new ObjectMapper().writeValueAsString(result));
    }

    /** A digest of the whole assignment, equal in every run on every machine. */
    private static String digest(Assignment assignment) {
        long digest = 0;
        for (int worker = 0; worker < assignment.workers().size(); worker++) {
            for (int i = 0; i < assignment.count(worker); i++) {
                digest = digest * 31 + assignment.chunk(worker, i);
            }
            digest =
                    SeaHash.hash(ByteBuffer.allocate(Long.BYTES).putLong(digest).array());
        }
        return Long.toHexString(digest);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** The peak resident size of the whole process; -1 if the system does not provide it. */
    private static double peakResidentMebibytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return -1;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElse(-1);
    }
}
