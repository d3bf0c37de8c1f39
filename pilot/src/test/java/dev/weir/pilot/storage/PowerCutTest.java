package dev.weir.pilot.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine that fails keeps only what was put on the disk; a disk that is full takes nothing. */
class PowerCutTest {

    private static final byte[] CONTENT = new byte[100_000];

    @TempDir
    Path temp;

    private final List<String> done = new ArrayList<>();
    private Path source;
    private Path root;
    private Path target;

    @BeforeEach
    void makeFiles() throws IOException {
        root = Files.createDirectories(temp.resolve("storage")).toRealPath();
        source = Files.write(temp.resolve("source"), CONTENT);
        target = root.resolve("new/deep/target");
    }

    /** Notes what is put on the disk, and what the target's name means at that moment. */
    private class Noting implements Disk {

        @Override
        public void sync(FileChannel file) throws IOException {
            done.add("content of " + file.size() + " bytes" + state());
        }

        @Override
        public void syncNames(Path directory) {
            done.add("names in " + root.relativize(directory) + state());
        }

        private String state() {
            return Files.exists(target) ? ", target there" : "";
        }
    }

    @Test
    void contentIsOnTheDiskBeforeItHasItsNameAndEveryNameBeforeItIsReported() throws IOException {
        new FileStorage(new StorageRoots(List.of(root)), new Noting()).store(source, "file://" + target);
        assertThat(done)
                .containsExactly(
                        "names in new", "names in ", "content of 100000 bytes", "names in new/deep, target there");
    }

    @Test
    void whatCannotBePutOnTheDiskIsNotStored() throws IOException {
        Disk full = new Noting() {
            @Override
            public void sync(FileChannel file) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        FileStorage storage = new FileStorage(new StorageRoots(List.of(root)), full);
        assertThatThrownBy(() -> storage.store(source, "file://" + target)).hasMessageContaining("No space left");
        try (Stream<Path> left = Files.list(target.getParent())) {
            assertThat(left).isEmpty();
        }
    }
}
