package dev.weir.placement;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The placement once more, as the issue words it, with objects, big integers and no thought of speed: what the library must
 * agree with. Shares no code with it but the input types.
 */
final class ReferencePlacement {

    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);
    private static final BigInteger PRIME = new BigInteger("6eed0e9da4d94a4f", 16);

    private final PlacementConfig config;
    private long unplaced;

    ReferencePlacement(PlacementConfig config) {
        this.config = config;
    }

    private record Chunk(String name, long size, int weight) {}

    private record Place(BigInteger hash, int worker) {}

    private record VirtualChunk(Chunk chunk, int number) {}

    /** Thrown when a chunk stays below the minimum, or the budget does. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** The chunk names of each worker. */
    Map<String, SortedSet<String>> place(List<Worker> workers, Chunks chunks) {
        List<Chunk> all = new ArrayList<>();
        for (int i = 0; i < chunks.count(); i++) {
            all.add(new Chunk(chunks.name(i), chunks.sizeBytes(i), chunks.weight(i)));
        }
        List<Worker> reliable =
                workers.stream().filter(one -> one.status().isReliable()).toList();
        List<Worker> others =
                workers.stream().filter(one -> !one.status().isReliable()).toList();
        Map<String, SortedSet<String>> result = new HashMap<>(run(reliable, all));
        if (!others.isEmpty()) {
            long unplacedByReliable = unplaced;
            List<Worker> everyone = new ArrayList<>(reliable);
            everyone.addAll(others);
            others.forEach(one -> result.put(one.id(), new TreeSet<>()));
            try {
                Map<String, SortedSet<String>> second = run(everyone, all);
                others.forEach(one -> result.put(one.id(), second.get(one.id())));
            } catch (Refused refused) {
                // They have nothing.
            }
            unplaced = unplacedByReliable;
        }
        return result;
    }

    /** How many virtual chunks the reliable pass left out. */
    long unplaced() {
        return unplaced;
    }

    private Map<String, SortedSet<String>> run(List<Worker> workers, List<Chunk> chunks) {
        unplaced = 0;
        Map<Integer, Integer> factors = factors(workers, chunks);
        Map<Integer, List<Place>> rings = new HashMap<>();
        Map<String, SortedSet<String>> lists = new LinkedHashMap<>();
        Map<String, Long> used = new HashMap<>();
        workers.forEach(worker -> {
            lists.put(worker.id(), new TreeSet<>());
            used.put(worker.id(), 0L);
        });
        for (VirtualChunk virtual : order(chunks, factors)) {
            Chunk chunk = virtual.chunk();
            BigInteger hash = seaHash(numbered(chunk.name().getBytes(StandardCharsets.UTF_8), virtual.number()));
            int ring = hash.mod(BigInteger.valueOf(config.rings())).intValueExact();
            List<Place> places = rings.computeIfAbsent(ring, missing -> ring(missing, workers));
            int start = 0;
            while (start < places.size() && places.get(start).hash().compareTo(hash) < 0) {
                start++;
            }
            boolean found = false;
            for (int i = 0; i < places.size() && !found; i++) {
                Worker worker =
                        workers.get(places.get((start + i) % places.size()).worker());
                SortedSet<String> list = lists.get(worker.id());
                if (!list.contains(chunk.name()) && used.get(worker.id()) + chunk.size() <= worker.capacityBytes()) {
                    list.add(chunk.name());
                    used.merge(worker.id(), chunk.size(), Long::sum);
                    found = true;
                }
            }
            if (!found) {
                long holders = lists.values().stream()
                        .filter(list -> list.contains(chunk.name()))
                        .count();
                if (holders < config.minReplication()) {
                    throw new Refused();
                }
                unplaced++;
            }
        }
        return lists;
    }

    private List<Place> ring(int ring, List<Worker> workers) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            byte[] id = config.idEncoding().decode(workers.get(i).id());
            places.add(new Place(seaHash(numbered(id, ring)), i));
        }
        places.sort(Comparator.comparing(Place::hash).thenComparing(Place::worker));
        return places;
    }

    private List<VirtualChunk> order(List<Chunk> chunks, Map<Integer, Integer> factors) {
        List<Chunk> sorted = new ArrayList<>(chunks);
        sorted.sort(Comparator.comparing(chunk ->
                new BigInteger("01" + HexFormat.of().formatHex(padded(chunk.name())), 16)));
        List<VirtualChunk> order = new ArrayList<>();
        int most = factors.values().stream().max(Integer::compare).orElse(0);
        if (config.order() == Order.CHUNK) {
            for (Chunk chunk : sorted) {
                for (int number = 0; number < factors.get(chunk.weight()); number++) {
                    order.add(new VirtualChunk(chunk, number));
                }
            }
        } else {
            for (int number = 0; number < most; number++) {
                for (Chunk chunk : sorted) {
                    if (number < factors.get(chunk.weight())) {
                        order.add(new VirtualChunk(chunk, number));
                    }
                }
            }
        }
        return order;
    }

    /** The name's bytes, filled up with zeros: as numbers they then compare as byte strings do. */
    private static byte[] padded(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, 256);
    }

    Map<Integer, Integer> factors(List<Worker> workers, List<Chunk> chunks) {
        TreeMap<Integer, Long> sizes = new TreeMap<>();
        chunks.forEach(chunk -> sizes.merge(chunk.weight(), chunk.size(), Long::sum));
        long capacity = workers.stream().mapToLong(Worker::capacityBytes).sum();
        long budget = (long) (capacity * config.saturation());
        long minimum = config.minReplication();
        if (minimum * sizes.values().stream().mapToLong(size -> size).sum() > budget) {
            throw new Refused();
        }
        double m = 0;
        for (int weight : sizes.keySet()) {
            long lower = sizes.headMap(weight).values().stream()
                    .mapToLong(size -> size * minimum)
                    .sum();
            long rest = sizes.tailMap(weight).entrySet().stream()
                    .mapToLong(entry -> entry.getKey() * entry.getValue())
                    .sum();
            m = (double) (budget - lower) / (double) rest;
            if (Math.floor(weight * m) >= minimum) {
                break;
            }
        }
        Map<Integer, Integer> factors = new HashMap<>();
        for (int weight : sizes.keySet()) {
            factors.put(weight, (int) Math.min(workers.size(), Math.max(minimum, (long) Math.floor(weight * m))));
        }
        return factors;
    }

    private static byte[] numbered(byte[] name, int number) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(name);
        bytes.write(':');
        bytes.write(number & 0xff);
        bytes.write(number >> 8);
        return bytes.toByteArray();
    }

    /** SeaHash in big integers, block by block, from the algorithm's description. */
    static BigInteger seaHash(byte[] bytes) {
        BigInteger[] lanes = {
            new BigInteger("16f11fe89b0d677c", 16),
            new BigInteger("b480a793d8e6c86c", 16),
            new BigInteger("6fe2e5aaf078ebc9", 16),
            new BigInteger("14f994a4c5259381", 16)
        };
        for (int word = 0; word * 8 < bytes.length; word++) {
            BigInteger value = BigInteger.ZERO;
            for (int i = Math.min(bytes.length, word * 8 + 8) - 1; i >= word * 8; i--) {
                value = value.shiftLeft(8).or(BigInteger.valueOf(bytes[i] & 0xff));
            }
            lanes[word % 4] = diffuse(lanes[word % 4].xor(value));
        }
        BigInteger joined = lanes[0].xor(lanes[1]).xor(lanes[2]).xor(lanes[3]);
        return diffuse(joined.xor(BigInteger.valueOf(bytes.length)));
    }

    private static BigInteger diffuse(BigInteger value) {
        BigInteger x = value.multiply(PRIME).mod(TWO_64);
        int steps = x.shiftRight(60).intValueExact();
        x = x.xor(x.shiftRight(32).shiftRight(steps));
        return x.multiply(PRIME).mod(TWO_64);
    }
}
