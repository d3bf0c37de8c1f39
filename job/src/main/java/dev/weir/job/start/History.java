package dev.weir.job.start;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * Which checkpoints of a directory count, as a file in it.
 *
 * @param from the checkpoint or savepoint that a start named last, usually elsewhere
 * @param never those that a start has gone behind: they are never used again
 * @param used savepoints in the directory that a start continued from: they go once a start continues from something newer
 */
record History(Optional<Path> from, Set<Path> never, Set<Path> used) {

    private static final String FILE = "begun-from";
    private static final String FROM = "from ";
    private static final String NEVER = "never ";
    private static final String USED = "used ";
    private static final String END = "end";

    /** All checkpoints count if there is no such file. */
    static History of(Path directory) throws IOException {
        FileSystem files = directory.getFileSystem();
        Path file = new Path(directory, FILE);
        if (!files.exists(file)) {
            return new History(Optional.empty(), Set.of(), Set.of());
        }
        List<String> lines;
        try (FSDataInputStream in = files.open(file)) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        Path from = null;
        Set<Path> never = new HashSet<>();
        Set<Path> used = new HashSet<>();
        boolean whole = false;
        for (String line : lines) {
            if (line.startsWith(FROM)) {
                from = new Path(line.substring(FROM.length()));
            } else if (line.startsWith(NEVER)) {
                never.add(new Path(line.substring(NEVER.length())));
            } else if (line.startsWith(USED)) {
                used.add(new Path(line.substring(USED.length())));
            } else {
                whole = line.equals(END);
            }
        }
        if (!whole) {
            throw new IOException(
                    file + " is incomplete, so the valid checkpoints are unknown; delete it and start with" + " --from "
                            + directory.getName() + "=PATH");
        }
        return new History(Optional.ofNullable(from), never, used);
    }

    void write(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        from.ifPresent(path -> lines.add(FROM + path));
        never.forEach(path -> lines.add(NEVER + path));
        used.forEach(path -> lines.add(USED + path));
        lines.add(END);
        FileSystem files = directory.getFileSystem();
        files.mkdirs(directory);
        try (FSDataOutputStream out = files.create(new Path(directory, FILE), WriteMode.OVERWRITE)) {
            out.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        }
    }
}
