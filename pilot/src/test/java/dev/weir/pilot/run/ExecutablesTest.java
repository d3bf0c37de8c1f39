package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutablesTest {

    @TempDir
    Path temp;

    private Path first;
    private Path second;
    private Path outside;
    private Executables executables;

    @BeforeEach
    void makeDirectories() throws IOException {
        first = Files.createDirectories(temp.resolve("first"));
        second = Files.createDirectories(temp.resolve("second/bin"));
        outside = program(temp.resolve("outside"));
        executables = new Executables(List.of(first, second));
    }

    @Test
    void aBareNameIsLookedForInEachDirectoryInTurn() throws IOException {
        Path inSecond = program(second.resolve("tool"));
        assertThat(executables.find("tool")).isEqualTo(inSecond);
        Path inFirst = program(first.resolve("tool"));
        assertThat(executables.find("tool")).isEqualTo(inFirst);
        assertThat(executables.find(inSecond.toString())).isEqualTo(inSecond);
    }

    @Test
    void aLinkMayLeadFromOneDirectoryToAnother() throws IOException {
        program(second.resolve("real"));
        Path link = Files.createSymbolicLink(first.resolve("link"), second.resolve("real"));
        assertThat(executables.find("link")).isEqualTo(link);
    }

    @Test
    void nothingEscapes() throws IOException {
        Files.createSymbolicLink(first.resolve("link"), outside);
        Files.createSymbolicLink(first.resolve("up"), temp);
        for (String name : List.of("link", "up/outside", "../outside", outside.toString(), first + "/../outside")) {
            assertThatThrownBy(() -> executables.find(name))
                    .as(name)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("outside of this pilot's directories");
        }
    }

    @Test
    void whatIsMissingOrMayNotRunIsSaid() throws IOException {
        Files.writeString(first.resolve("text"), "no program");
        assertThatThrownBy(() -> executables.find("text")).hasMessageContaining("may not be executed");
        assertThatThrownBy(() -> executables.find("nothing")).hasMessageContaining("there is no executable 'nothing'");
        assertThatThrownBy(() -> executables.find("a\0b")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> new Executables(List.of())).hasMessageContaining("--executables");
    }

    private static Path program(Path path) throws IOException {
        Files.writeString(path, "#!/bin/sh\n");
        assertThat(path.toFile().setExecutable(true)).isTrue();
        return path;
    }
}
