package dev.weir.chaos.load;

import dev.weir.chaos.judge.ExpectedTask;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A kind of task that is always under way.
 *
 * @param name begin of the uids of its tasks
 * @param device of its jobs: CPU or GPU
 * @param url where its inputs are
 * @param storageUrl where its outputs go
 * @param files of one task, once the first {@code open} tasks are over
 * @param open tasks at once
 * @param livingPilots whether its pilots live all the time
 */
public record Flock(
        String name, String device, String url, String storageUrl, List<String> files, int open, boolean livingPilots) {

    /** In the name of a file whose jobs always fail. */
    public static final String BAD = "bad";

    /** In the name of a file whose first attempt fails. */
    public static final String FLAKY = "flaky";

    /** Further attempts of a job. */
    static final int RETRIES = 2;

    private static final int ONE_BAD_IN = 50;
    private static final int ONE_FLAKY_IN = 10;

    /** Names of files: one in fifty is bad and one in ten flaky. */
    public static List<String> names(int files) {
        return java.util.stream.IntStream.range(0, files)
                .mapToObj(i -> (i % ONE_BAD_IN == 1 ? BAD : i % ONE_FLAKY_IN == 2 ? FLAKY : "good") + "-" + i)
                .toList();
    }

    /**
     * The files of its nth task. The first ones have fewer, so that open tasks do not end together and one that ends leaves others
     * that need nothing.
     */
    List<String> filesOf(int nth) {
        return nth < open ? files.subList(0, files.size() * (nth + 1) / open) : files;
    }

    String uid(int nth) {
        return name + "-" + nth;
    }

    ExpectedTask expected(int nth) {
        Set<String> bad = new TreeSet<>(filesOf(nth));
        bad.removeIf(file -> !file.startsWith(BAD));
        Set<String> good = new HashSet<>(filesOf(nth));
        good.removeAll(bad);
        return new ExpectedTask(uid(nth), good, bad, livingPilots);
    }
}
