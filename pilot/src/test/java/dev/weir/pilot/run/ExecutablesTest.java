package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.ErrorType;
import java.io.IOException;
import java.nio.file.FileSystemException;
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
    void aBareNameIsLookedForInEachDirectoryInTurn() throws Exception {
        Path inSecond = program(second.resolve("tool"));
        assertThat(executables.find("tool")).isEqualTo(inSecond);
        Path inFirst = program(first.resolve("tool"));
        assertThat(executables.find("tool")).isEqualTo(inFirst);
        assertThat(executables.find(inSecond.toString())).isEqualTo(inSecond);
    }

    @Test
    void aLinkMayLeadFromOneDirectoryToAnother() throws Exception {
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
                    .hasMessageContaining("outside of this pilot's directories")
                    .satisfies(ExecutablesTest::isOfJob);
        }
    }

    @Test
    void whatIsMissingOrMayNotRunIsSaid() throws IOException {
        Files.writeString(first.resolve("text"), "no program");
        assertThatThrownBy(() -> executables.find("text"))
                .hasMessageContaining("may not be executed")
                .satisfies(ExecutablesTest::isOfJob);
        Files.createDirectory(first.resolve("directory"));
        Files.createSymbolicLink(first.resolve("circle"), first.resolve("circle"));
        for (String name : List.of("nothing", "no/thing", "directory", "text/x", "circle", "x".repeat(300))) {
            assertThatThrownBy(() -> executables.find(name))
                    .hasMessageContaining("there is no executable '" + name + "'")
                    .satisfies(ExecutablesTest::isOfJob);
        }
        assertThatThrownBy(() -> executables.find("a\0b")).satisfies(ExecutablesTest::isOfJob);
        assertThatThrownBy(() -> new Executables(List.of())).hasMessageContaining("--executables");
    }

    /** As of a mount whose server has gone; the program may be there all the same, and another one of its name is not meant. */
    @Test
    void aDiskThatDoesNotSayWhetherTheProgramIsThereIsNoFaultOfTheJob() throws IOException {
        program(second.resolve("tool"));
        Executables dead = new Executables(List.of(first, second), file -> {
            throw new FileSystemException(file.toString(), null, "Transport endpoint is not connected");
        });
        assertThatThrownBy(() -> dead.find("tool"))
                .hasMessageStartingWith("the executable 'tool' cannot be looked for: ")
                .hasMessageContaining("Transport endpoint is not connected")
                .satisfies(failure -> assertThat(typeOf(failure)).isEqualTo(ErrorType.STAGE_IN));
    }

    private static void isOfJob(Throwable failure) {
        assertThat(typeOf(failure)).isEqualTo(ErrorType.EXECUTABLE);
    }

    private static ErrorType typeOf(Throwable failure) {
        return ((AttemptFailure) failure).type();
    }

    private static Path program(Path path) throws IOException {
        Files.writeString(path, "#!/bin/sh\n");
        assertThat(path.toFile().setExecutable(true)).isTrue();
        return path;
    }
}
