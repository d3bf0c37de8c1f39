package dev.weir.pilot.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStorageTest {

    @TempDir
    Path temp;

    private Path root;
    private Path local;
    private Storages storages;

    @BeforeEach
    void makeStorage() throws IOException {
        root = Files.createDirectories(temp.resolve("my storage"));
        local = temp.resolve("local");
        storages = Storages.standard(new StorageRoots(List.of(root)), new HttpHosts(List.of()));
    }

    @Test
    void aFileGoesOutAndComesBackWithDirectoriesMadeAndNothingLeftAside() throws Exception {
        Path source = Files.writeString(temp.resolve("source"), "content");
        String url = "file://" + root + "/a/b/name with 100% #1.out";
        storages.store(source, url);
        storages.fetch(url, local, 7);
        assertThat(local).hasContent("content");
        try (Stream<Path> files = Files.list(root.resolve("a/b"))) {
            assertThat(files).containsExactly(root.toRealPath().resolve("a/b/name with 100% #1.out"));
        }
    }

    @Test
    void percentEscapesAreDecodedWhenTheWordsAreNoPath() throws Exception {
        Files.writeString(root.resolve("in put"), "x");
        storages.fetch(root.toUri() + "in%20put", local, 10);
        assertThat(local).hasContent("x");
        storages.store(local, root.toUri() + "out+put");
        assertThat(root.resolve("out+put")).hasContent("x");
    }

    @Test
    void nothingOutsideOfTheRootsIsReadOrWritten() throws IOException {
        Path secret = Files.writeString(temp.resolve("secret"), "s");
        Files.createSymbolicLink(root.resolve("link"), secret);
        Files.createSymbolicLink(root.resolve("up"), temp);
        for (String url : List.of(
                "file://" + secret,
                "file://" + root + "/../secret",
                "file://" + root + "/link",
                "file://" + root + "/up/secret",
                "file://elsewhere" + root + "/link",
                "file:relative")) {
            assertThatThrownBy(() -> storages.fetch(url, local, 10)).as(url).isInstanceOf(RefusedException.class);
            assertThatThrownBy(() -> storages.store(root, url)).as(url).isInstanceOf(RefusedException.class);
        }
        String decoded = "file://" + root + "/%2e%2e/secret";
        assertThatThrownBy(() -> storages.fetch(decoded, local, 10)).isInstanceOf(IOException.class);
        assertThat(local).doesNotExist();
        assertThat(secret).hasContent("s");
    }

    @Test
    void withoutRootsNoFileIsServed() throws IOException {
        Storages none = Storages.standard(new StorageRoots(List.of()), new HttpHosts(List.of()));
        assertThatThrownBy(() -> none.fetch("file://" + root + "/x", local, 1)).hasMessageContaining("--storage-root");
    }

    @Test
    void aMissingTooLongOrForeignFileIsRefused() throws IOException {
        Files.writeString(root.resolve("long"), "0123456789");
        assertThatThrownBy(() -> storages.fetch("file://" + root + "/none", local, 9))
                .isInstanceOf(MissingFileException.class)
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> storages.fetch("file://" + root + "/long", local, 9))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("10 bytes");
        assertThatThrownBy(() -> storages.fetch("gopher://x/y", local, 9))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("[file, http, https]");
    }

    @Test
    void aDirectoryThatIsGoneOrEmptyMayBeADiskThatIsNotMounted() throws IOException {
        Files.createDirectories(root.resolve("empty"));
        for (String url : List.of("file://" + root + "/empty/none", "file://" + root + "/gone/none")) {
            assertThatThrownBy(() -> storages.fetch(url, local, 9))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(RefusedException.class)
                    .hasMessageContaining("directory");
        }
    }

    @Test
    void anInputThatTheDiskCannotShowIsNotMissing() throws Exception {
        assertThat(StorageRoots.saysAbsent(new NoSuchFileException("a"))).isTrue();
        assertThat(StorageRoots.saysAbsent(new AccessDeniedException("a"))).isFalse();
        for (String reason : List.of("Input/output error", "Stale file handle")) {
            assertThat(StorageRoots.saysAbsent(new FileSystemException("a", null, reason)))
                    .as(reason)
                    .isFalse();
        }
        Files.writeString(root.resolve("file"), "x");
        String below = "file://" + root + "/file/none";
        assertThatThrownBy(() -> storages.fetch(below, local, 9)).hasMessageContaining("there is no file");
        String longer = "file://" + root + "/" + "%61".repeat(100);
        Files.writeString(root.resolve("a".repeat(100)), "x");
        storages.fetch(longer, local, 9);
        assertThat(local).hasContent("x");
    }

    /** Both happen between the check of a path and its use. */
    @Test
    void aLinkThatTakesThePlaceOfWhatWasCheckedIsNotFollowed() throws IOException {
        StorageRoots roots = new StorageRoots(List.of(root));
        Path outside = Files.createDirectories(temp.resolve("outside"));
        Files.writeString(outside.resolve("file"), "secret");
        Path checked = Files.createDirectories(root.resolve("a/b"));
        Files.writeString(checked.resolve("file"), "mine");
        Path file = roots.resolve("file://" + checked + "/file", true);

        Files.delete(checked.resolve("file"));
        Files.createSymbolicLink(checked.resolve("file"), outside.resolve("file"));
        try (OpenDirectory directory = roots.directory(file)) {
            assertThat(directory.hasFile(file.getFileName())).isFalse();
            assertThatThrownBy(() -> directory.read(file.getFileName())).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> directory.create(file.getFileName())).isInstanceOf(IOException.class);
        }
        Files.delete(checked.resolve("file"));
        Files.delete(checked);
        Files.createSymbolicLink(checked, outside);
        assertThatThrownBy(() -> roots.directory(file)).isInstanceOf(IOException.class);
        assertThat(outside.resolve("file")).hasContent("secret");
    }

    @Test
    void everyFileBelowTheRootOfTheMachineCanBeServed() throws Exception {
        Storages all = Storages.standard(new StorageRoots(List.of(Path.of("/"))), new HttpHosts(List.of()));
        all.store(Files.writeString(temp.resolve("source"), "content"), "file://" + temp + "/x/y");
        all.fetch("file://" + temp + "/x/y", local, 7);
        assertThat(local).hasContent("content");
        assertThatThrownBy(() -> storages.store(local, "file://" + root)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> storages.fetch("file://" + root, temp.resolve("other"), 7))
                .isInstanceOf(RefusedException.class);
    }
}
