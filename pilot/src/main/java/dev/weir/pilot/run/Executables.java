package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs that a pilot may run: those below the configured directories. A name, with or without a directory, is looked for in
 * each of them in turn; an absolute path must lie in one. Links are followed before a program is judged, so a link in a
 * configured directory that leads out of all of them is refused.
 */
public final class Executables {

    private final List<Path> directories;
    private final List<Path> real;

    /** Every directory must exist, and there must be one. */
    public Executables(List<Path> directories) throws IOException {
        if (directories.isEmpty()) {
            throw new IOException(
                    "no directory of executables is configured, so nothing could be run; see --executables");
        }
        List<Path> absolute = new ArrayList<>();
        List<Path> followed = new ArrayList<>();
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                throw new IOException("--executables " + directory + " is not a directory");
            }
            absolute.add(directory.toAbsolutePath().normalize());
            followed.add(directory.toRealPath());
        }
        this.directories = List.copyOf(absolute);
        this.real = List.copyOf(followed);
    }

    /**
     * The program to start, under the name by which it was asked for (programs look at it).
     *
     * @throws IOException when there is none, it may not be run, or lies elsewhere; says which
     */
    Path find(String executable) throws IOException {
        Path elsewhere = null;
        Path notRunnable = null;
        for (Path candidate : candidates(executable)) {
            if (!Files.isRegularFile(candidate)) {
                continue;
            }
            Path target = candidate.toRealPath();
            if (real.stream().noneMatch(target::startsWith)) {
                elsewhere = target;
            } else if (!Files.isExecutable(candidate)) {
                notRunnable = candidate;
            } else {
                return candidate;
            }
        }
        if (elsewhere != null) {
            throw new IOException("the executable '" + executable + "' is " + elsewhere
                    + ", outside of this pilot's directories " + directories + "; see --executables");
        }
        if (notRunnable != null) {
            throw new IOException(notRunnable + " may not be executed; set its x permission");
        }
        throw new IOException("there is no executable '" + executable + "' in this pilot's directories " + directories);
    }

    private List<Path> candidates(String executable) throws IOException {
        try {
            Path path = Path.of(executable);
            if (path.isAbsolute()) {
                return List.of(path.normalize());
            }
            return directories.stream()
                    .map(directory -> directory.resolve(path).normalize())
                    .toList();
        } catch (InvalidPathException e) {
            throw new IOException("the executable '" + executable + "' is no path: " + e.getMessage(), e);
        }
    }
}
