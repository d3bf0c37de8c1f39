package dev.weir.cli.demo;

import java.util.List;

/**
 * The outcome of a task's files according to the catalogue and the disk.
 *
 * @param finished jobs with an output that exists
 * @param failed jobs with logs and no output
 * @param lost files without either
 * @param duplicates further outputs of a job, and further jobs of a file
 * @param missing URLs in the catalogue whose file is missing or has another size
 */
record Outcome(int finished, int failed, int lost, int duplicates, List<String> missing) {

    boolean isSound() {
        return lost == 0 && duplicates == 0 && missing.isEmpty();
    }
}
