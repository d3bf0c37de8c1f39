package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeletionTest {

    @TempDir
    Path temp;

    @Test
    void aTreeGoesWithWhatIsUnwritableInItAndLinksAreNotFollowed() throws IOException {
        Path kept = Files.createDirectories(temp.resolve("kept"));
        Files.writeString(kept.resolve("file"), "x");
        Path root = temp.resolve("root");
        for (String branch : new String[] {"a", "b"}) {
            Path deep = Files.createDirectories(root.resolve(branch + "/c/d/e"));
            Files.writeString(deep.resolve("file"), "x");
            Files.createSymbolicLink(deep.resolve("link"), kept);
            Files.createSymbolicLink(root.resolve(branch + "/link"), kept);
            Files.setPosixFilePermissions(deep, PosixFilePermissions.fromString("---------"));
            Files.setPosixFilePermissions(deep.getParent(), PosixFilePermissions.fromString("r-x------"));
        }
        Files.createSymbolicLink(root.resolve("link"), kept);

        new Deletion(root).run();

        assertThat(root).doesNotExist();
        assertThat(kept.resolve("file")).exists();
    }

    @Test
    void aLinkInPlaceOfTheDirectoryIsRemovedItself() throws IOException {
        Path kept = Files.createDirectories(temp.resolve("kept"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), kept);
        new Deletion(link).run();
        new Deletion(temp.resolve("none")).run();
        assertThat(link).doesNotExist();
        assertThat(kept).exists();
    }
}
