package dev.weir.pilot.run;

import dev.weir.protocol.ErrorType;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The programs that a pilot may run: those below the configured directories. A name, with or without a directory, is looked for in
 * each of them in turn; an absolute path must lie in one. Links are followed before a program is judged, so a link in a
 * configured directory that leads out of all of them is refused.
 */
public final class Executables {

    /** How the system says that there is no such file, where Java has no exception for it. */
    private static final List<String> NO_SUCH_FILE =
            List.of("not a directory", "file name too long", "too many levels of symbolic links");

    private final List<Path> directories;
    private final List<Path> real;
    private final Look look;

    /** What the disk says of a file. */
    interface Look {
        BasicFileAttributes at(Path file) throws IOException;
    }

    /** Every directory must exist, and there must be one. */
    public Executables(List<Path> directories) throws IOException {
        this(directories, file -> Files.readAttributes(file, BasicFileAttributes.class));
    }

    Executables(List<Path> directories, Look look) throws IOException {
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
        this.look = look;
    }

    /**
     * The program to start, under the name by which it was asked for (programs look at it).
     *
     * @throws AttemptFailure when there is none, it may not be run, or lies elsewhere; says which. When a disk does not say, the node is to
     *     blame and not the job
     */
    Path find(String executable) throws AttemptFailure {
        try {
            return search(executable);
        } catch (IOException e) {
            throw new AttemptFailure(
                    ErrorType.STAGE_IN,
                    "the executable '" + executable + "' cannot be looked for: " + Reasons.of(e),
                    e);
        }
    }

    private Path search(String executable) throws AttemptFailure, IOException {
        Path elsewhere = null;
        Path notRunnable = null;
        for (Path candidate : candidates(executable)) {
            if (!isFile(candidate)) {
                continue;
            }
            Path target = candidate.toRealPath();
            if (real.stream().noneMatch(target::startsWith)) {
                elsewhere = target;
            } else if (!mayRun(candidate)) {
                notRunnable = candidate;
            } else {
                return candidate;
            }
        }
        if (elsewhere != null) {
            throw refused("the executable '" + executable + "' is " + elsewhere
                    + ", outside of this pilot's directories " + directories + "; see --executables");
        }
        if (notRunnable != null) {
            throw refused(notRunnable + " may not be executed; set its x permission");
        }
        throw refused("there is no executable '" + executable + "' in this pilot's directories " + directories);
    }

    private boolean isFile(Path candidate) throws IOException {
        try {
            return look.at(candidate).isRegularFile();
        } catch (NoSuchFileException | AccessDeniedException e) {
            return false;
        } catch (FileSystemException e) {
            String reason = e.getReason() == null ? "" : e.getReason().toLowerCase(Locale.ROOT);
            if (NO_SUCH_FILE.stream().anyMatch(reason::startsWith)) {
                return false;
            }
            throw e;
        }
    }

    private static boolean mayRun(Path candidate) throws IOException {
        try {
            candidate.getFileSystem().provider().checkAccess(candidate, AccessMode.EXECUTE);
            return true;
        } catch (AccessDeniedException e) {
            return false;
        }
    }

    private static AttemptFailure refused(String message) {
        return new AttemptFailure(ErrorType.EXECUTABLE, message);
    }

    private List<Path> candidates(String executable) throws AttemptFailure {
        try {
            Path path = Path.of(executable);
            if (path.isAbsolute()) {
                return List.of(path.normalize());
            }
            return directories.stream()
                    .map(directory -> directory.resolve(path).normalize())
                    .toList();
        } catch (InvalidPathException e) {
            throw refused("the executable '" + executable + "' is no path: " + e.getMessage());
        }
    }
}
