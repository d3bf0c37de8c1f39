package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartFailureTest {

    @TempDir
    Path temp;

    @Test
    void aProgramThatNoNodeCouldStartIsToBlameItself() throws IOException {
        Path text = Files.writeString(temp.resolve("text"), "no program");
        Path lost = Files.writeString(temp.resolve("lost"), "#!/no/such/interpreter\n");
        assertThat(lost.toFile().setExecutable(true)).isTrue();
        for (List<String> command : List.of(
                List.of(temp.resolve("nothing").toString()),
                List.of(temp.toString()),
                List.of(text + "/x"),
                List.of(text.toString()),
                List.of(lost.toString()),
                List.of("/bin/echo", "x".repeat(1 << 20)))) {
            IOException failure = catchThrowableOfType(IOException.class, () -> new ProcessBuilder(command).start());
            assertThat(StartFailure.isOfProgram(failure))
                    .as(failure.getMessage())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"error=8, Exec format error", "Exec failed, error: 8 (Exec format error)"})
    void aWrongFormatIsOfTheProgramInEveryVersionOfJava(String message) {
        assertThat(StartFailure.isOfProgram(asOfJava(message))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "error=5, Input/output error",
                "error=11, Resource temporarily unavailable",
                "error=12, Cannot allocate memory",
                "error=24, Too many open files",
                "error=26, Text file busy",
                "error=107, Transport endpoint is not connected",
                "error=116, Stale file handle",
                "posix_spawn failed, error: 12 (Cannot allocate memory)",
                "posix_spawn failed, error: 2 (No such file or directory)",
                "/dev/null (Too many open files)",
                "Bad file descriptor"
            })
    void whatKeepsANodeFromStartingAnyProgramIsOfTheNode(String message) {
        assertThat(StartFailure.isOfProgram(asOfJava(message))).isFalse();
    }

    @Test
    void whatIsNotKnownIsOfTheNode() {
        assertThat(StartFailure.isOfProgram(new NoSuchFileException("/work/out/output")))
                .isFalse();
        assertThat(StartFailure.isOfProgram(new IOException("x", new IOException())))
                .isFalse();
    }

    /** A program may have any name. */
    private static IOException asOfJava(String message) {
        return new IOException("Cannot run program \"error=2, \": " + message, new IOException(message));
    }
}
