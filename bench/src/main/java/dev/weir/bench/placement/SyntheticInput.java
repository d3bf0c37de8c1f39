package dev.weir.bench.placement;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.ChunksBuilder;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Synthetic workers and chunks with names as long as the network's: ids of 38 bytes, chunk names of about 50. Seeded. */
final class SyntheticInput {

    private static final String HEX = "0123456789abcdef";

    private SyntheticInput() {}

    /** Workers of one capacity, all reliable; ids are 38 hexadecimal byte pairs, to be hashed as bytes. */
    static List<Worker> workers(int count, long capacityBytes) {
        List<Worker> workers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            workers.add(worker(i, capacityBytes));
        }
        return workers;
    }

    static Worker worker(int number, long capacityBytes) {
        return new Worker("002408011220" + hex(new SplittableRandom(number), 64), capacityBytes, WorkerStatus.ONLINE);
    }

    /**
     * Chunks. A greater {@code count} gives the same chunks and further ones.
     *
     * @param spread sizes vary from {@code meanBytes·(1−spread)} to {@code meanBytes·(1+spread)}
     * @param weights taken in turn, by dataset
     */
    static Chunks chunks(int count, long meanBytes, double spread, int... weights) {
        ChunksBuilder builder = new ChunksBuilder();
        int datasets = Math.max(weights.length, 24);
        long[] block = new long[datasets];
        for (int i = 0; i < count; i++) {
            int dataset = i % datasets;
            SplittableRandom random = new SplittableRandom(i);
            long size = (long) (meanBytes * (1 + spread * (2 * random.nextDouble() - 1)));
            long first = block[dataset];
            block[dataset] += 800 + random.nextInt(400);
            String id = String.format("%010d/%010d-%010d-", first / 1_000_000 * 1_000_000, first, block[dataset] - 1)
                    + hex(random, 8);
            builder.add(String.format("network-%02d", dataset), id, size, weights[dataset % weights.length]);
        }
        return builder.build();
    }

    /** The capacity of each of {@code workers} at which {@code bytes} fill the saturated budget exactly. */
    static long capacity(double bytes, int workers, PlacementConfig config) {
        return (long) Math.ceil(bytes / config.saturation() / workers) + 1;
    }

    private static String hex(SplittableRandom random, int digits) {
        StringBuilder text = new StringBuilder(digits);
        for (int i = 0; i < digits; i++) {
            text.append(HEX.charAt(random.nextInt(16)));
        }
        return text.toString();
    }
}
