package dev.weir.bench.placement;

import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.placement.Assignment;
import dev.weir.placement.Placement;
import dev.weir.placement.files.AssignmentFile;
import dev.weir.placement.files.ChunksFile;
import dev.weir.placement.files.FileConfig;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.IdEncoding;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reading chunks and writing an assignment, for which there are no goals. */
final class Reading {

    private static final int WORKERS = 2_000;
    private static final int REPLICAS = 10;
    private static final long CHUNK_BYTES = 200L << 20;

    private final BenchmarkContext context;
    private final int chunkCount;

    Reading(BenchmarkContext context) {
        this.context = context;
        this.chunkCount = context.quick() ? 20_000 : 100_000;
    }

    List<Row> measure() throws Exception {
        context.progress("reading and writing files");
        Path lines = context.directory().resolve("chunks.jsonl");
        Path written = context.directory().resolve(AssignmentFile.NAME);
        try {
            Chunks made = SyntheticInput.chunks(chunkCount, CHUNK_BYTES, 0, 1);
            writeLines(lines, made);
            double[] reads = new double[3];
            Chunks chunks = made;
            for (int i = 0; i < reads.length; i++) {
                long start = System.nanoTime();
                chunks = ChunksFile.read(lines, FileConfig.DEFAULT);
                reads[i] = (System.nanoTime() - start) / 1e9;
            }
            PlacementConfig config = new PlacementConfig(Order.CHUNK, Mode.COMPATIBLE, 6_000, 0.99, 2, IdEncoding.HEX);
            long capacity = SyntheticInput.capacity((double) CHUNK_BYTES * chunkCount * REPLICAS, WORKERS, config);
            List<Worker> workers = SyntheticInput.workers(WORKERS, capacity);
            Assignment assignment = new Placement(config).place(workers, chunks);
            double[] writes = new double[3];
            for (int i = 0; i < writes.length; i++) {
                long start = System.nanoTime();
                AssignmentFile.write(written, assignment);
                writes[i] = (System.nanoTime() - start) / 1e9;
            }
            long entries = assignment.reliablePass().replication().virtualChunks();
            return List.of(
                    Row.of("chunk lines read and put in order", chunkCount / Speed.median(reads), "1/s"),
                    Row.of("virtual chunks written as gzip JSON", entries / Speed.median(writes), "1/s"));
        } finally {
            Files.deleteIfExists(lines);
            Files.deleteIfExists(written);
        }
    }

    private static void writeLines(Path file, Chunks chunks) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int chunk = 0; chunk < chunks.count(); chunk++) {
                String name = chunks.name(chunk);
                int slash = name.indexOf('/');
                out.write("{\"dataset\":\"" + name.substring(0, slash) + "\",\"id\":\"" + name.substring(slash + 1)
                        + "\",\"size\":" + chunks.sizeBytes(chunk) + "}\n");
            }
        }
    }
}
