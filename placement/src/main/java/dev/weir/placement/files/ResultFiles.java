package dev.weir.placement.files;

import dev.weir.placement.Assignment;
import dev.weir.placement.diff.AssignmentDiff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** All files of a placement in its output directory. */
public final class ResultFiles {

    private ResultFiles() {}

    /**
     * Writes assignment, status, metrics, and the difference if there is one. Where the pass over all workers failed, the assignment has a name
     * of its own: the last whole one stays, with its difference, and what comes next is compared with it.
     *
     * @param directory is made where it does not exist
     * @param diff empty where the pass over all workers failed
     */
    public static void write(Path directory, Assignment assignment, FileConfig config, Optional<AssignmentDiff> diff)
            throws IOException {
        Files.createDirectories(directory);
        boolean isWhole = assignment.fullPassFailure().isEmpty();
        Path reliable = directory.resolve(AssignmentFile.RELIABLE_NAME);
        Map<Path, WholeFile.Content> files = new LinkedHashMap<>();
        files.put(isWhole ? directory.resolve(AssignmentFile.NAME) : reliable, AssignmentFile.of(assignment));
        files.put(directory.resolve(StatusFile.NAME), StatusFile.of(assignment, config));
        files.put(directory.resolve(MetricsFile.NAME), MetricsFile.of(assignment));
        diff.ifPresent(moves -> files.put(directory.resolve(DiffFile.NAME), DiffFile.of(moves)));
        WholeFile.write(files);
        if (isWhole) {
            Files.deleteIfExists(reliable);
            if (diff.isEmpty()) {
                // That of an earlier run would describe an assignment that is now replaced.
                Files.deleteIfExists(directory.resolve(DiffFile.NAME));
            }
        }
    }
}
