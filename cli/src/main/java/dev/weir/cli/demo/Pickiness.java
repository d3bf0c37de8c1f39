package dev.weir.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The files that the program {@code picky} rejects, by their size modulo a number. The number is chosen for a dataset so that, if possible,
 * some files are always rejected, some at the first attempt, and most never.
 *
 * @param never the remainder of files that are rejected at every attempt
 * @param later the remainder of files that are rejected at the first attempt
 */
record Pickiness(int modulus, int never, int later) {

    private static final int MODULUS = 13;

    /** Chooses for the files of a directory: the same files give the same choice. */
    static Pickiness of(Path dataset) throws IOException {
        try (Stream<Path> files = Files.walk(dataset)) {
            return ofSizes(files.filter(Files::isRegularFile)
                    .mapToLong(Pickiness::size)
                    .boxed()
                    .toList());
        }
    }

    static Pickiness ofSizes(List<Long> sizes) {
        int[] count = new int[MODULUS];
        for (long size : sizes) {
            count[(int) (size % MODULUS)]++;
        }
        // The rarest remainders that occur: a few rejected files are enough.
        List<Integer> rests = IntStream.range(0, MODULUS)
                .boxed()
                .filter(rest -> count[rest] > 0)
                .sorted((a, b) -> Integer.compare(count[a], count[b]))
                .toList();
        int never = rests.size() > 1 ? rests.get(0) : MODULUS;
        int later = rests.size() > 2 ? rests.get(1) : MODULUS;
        return new Pickiness(MODULUS, never, later);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
