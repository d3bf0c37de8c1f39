package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayTokenCommandTest {

    private static String make(Path file, String... more) {
        return makeFor("PILOT", file, more);
    }

    private static String makeFor(String role, Path file, String... more) {
        StringWriter said = new StringWriter();
        List<String> line = new java.util.ArrayList<>(
                List.of("gateway", "token", "--tokens-file", file.toString(), "--name", "site7", "--role", role));
        line.addAll(List.of(more));

        int exit = Weir.commandLine()
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(new StringWriter(), true))
                .execute(line.toArray(String[]::new));

        assertThat(exit).isZero();
        return said.toString().strip();
    }

    @Test
    void aTokenIsPrintedAndOnlyItsHashIsKept(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("new/tokens");
        String text = make(file, "--pilots", "node7-*,node8-1", "--days", "1");

        Token token = new TokenFile(file).find(text).orElseThrow();
        assertThat(token.name()).isEqualTo("site7");
        assertThat(token.role()).isEqualTo(Role.PILOT);
        assertThat(token.scope().pilots()).containsExactly("node7-*", "node8-1");
        assertThat(Files.readString(file)).doesNotContain(text);
    }

    @Test
    void aWorkersTokenNamesItsQueuesAndKinds(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        String text = makeFor("WORKER", file, "--queues", "scans", "--kinds", "tcp,udp-*", "--best-priority", "7");

        Token token = new TokenFile(file).find(text).orElseThrow();
        assertThat(token.role()).isEqualTo(Role.WORKER);
        assertThat(token.scope().queues()).containsExactly("scans");
        assertThat(token.scope().kinds()).containsExactly("tcp", "udp-*");
        assertThat(token.scope().bestPriority()).isEqualTo(7);
    }

    @Test
    void anotherTokenOfTheSameNameReplacesTheFirst(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        Files.writeString(file, "# kept\n");
        String first = make(file, "--pilots", "a");
        String second = make(file, "--pilots", "b");

        assertThat(new TokenFile(file).find(first)).isEmpty();
        assertThat(new TokenFile(file).find(second)).isPresent();
        assertThat(Files.readAllLines(file)).hasSize(2).startsWith("# kept");
    }

    @Test
    void aTokenThatCannotBeWrittenIsAFailure(@TempDir Path directory) throws IOException {
        Writer gone = Writer.nullWriter();
        gone.close();
        StringWriter err = new StringWriter();

        int exit = Weir.commandLine()
                .setOut(new PrintWriter(gone))
                .setErr(new PrintWriter(err, true))
                .execute(
                        "gateway",
                        "token",
                        "--tokens-file",
                        directory.resolve("tokens").toString(),
                        "--name",
                        "site7",
                        "--role",
                        "VIEWER");

        assertThat(exit).isEqualTo(1);
        assertThat(err.toString()).contains("standard output cannot be written").doesNotContain("valid until");
    }
}
