package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;

/** An output that a program writes into a file itself. Who has it open is known from {@code /proc}; elsewhere only its state is. */
record OutputFile(Path file) implements ProgramOutput {

    private static final Path PROC = Path.of("/proc");

    private record State(Object key, long size, FileTime modified) {}

    @Override
    public Object state() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new State(now.fileKey(), now.size(), now.lastModifiedTime());
        } catch (IOException e) {
            return null; // There is none.
        }
    }

    @Override
    public boolean isOpenIn(Collection<ProcessHandle> processes) {
        return processes.stream().anyMatch(this::isOpenIn);
    }

    private boolean isOpenIn(ProcessHandle process) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(PROC.resolve(process.pid() + "/fd"))) {
            for (Path descriptor : descriptors) {
                if (writesHere(descriptor)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // It has ended meanwhile, or cannot be asked.
        }
        return false;
    }

    /** Of the files that a process has open, only those with this name are looked at: one on a dead file system would hold up the pilot. */
    private boolean writesHere(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).endsWith(file.getFileName())
                    && Files.readAttributes(descriptor, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            .permissions()
                            .contains(PosixFilePermission.OWNER_WRITE)
                    && Files.isSameFile(descriptor, file);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }
}
