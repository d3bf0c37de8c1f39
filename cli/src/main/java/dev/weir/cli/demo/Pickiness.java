package dev.weir.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which files the program {@code picky} refuses: by their size modulo a number. Chosen for a dataset so that, when it can be,
 * some files are refused always, some at the first attempt, and most never.
 *
 * @param never this rest is refused at every attempt
 * @param later this rest is refused at the first attempt
 */
record Pickiness(int modulus, int never, int later) {

    private static final int MODULUS = 13;

    /** Looks at the files of a dataset's directory: the same files give the same choice. */
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
        // The rarest rests that occur at all: a few files are enough to be seen.
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
