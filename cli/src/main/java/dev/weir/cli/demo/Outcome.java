package dev.weir.cli.demo;

import java.util.List;

/**
 * What became of a task's files, as the catalogue and the disk say.
 *
 * @param finished jobs with an output that exists
 * @param failed jobs with logs and no output
 * @param lost files without either
 * @param duplicates outputs beyond one of a job, and jobs beyond one of a file
 * @param missing URLs that the catalogue has and the disk has not, or with another size
 */
record Outcome(int finished, int failed, int lost, int duplicates, List<String> missing) {

    boolean isSound() {
        return lost == 0 && duplicates == 0 && missing.isEmpty();
    }
}
