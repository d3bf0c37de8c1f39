package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands print, and whether it arrives. */
@Timeout(60)
class OutputTest {

    /** A pipe whose reader has gone. */
    private static final class Broken extends Writer {
        @Override
        public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("Broken pipe");
        }

        @Override
        public void flush() {
            // Nothing is kept.
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    @TempDir
    Path directory;

    private StubGateway gateway;

    @BeforeEach
    void start() throws IOException {
        gateway = new StubGateway(directory);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pools --watch", "pools --json", "task pause t1", "rejected show m1"})
    void aCommandWhoseOutputCannotBeWrittenFailsAndAWatchEnds(String command) {
        gateway.at("/pool", 200, "{\"data\": []}")
                .at("/task/t1/paused", 200, "{}")
                .at("/rejected/m1", 200, "{}");
        StringWriter err = new StringWriter();

        int exit = Weir.commandLine()
                .setOut(new PrintWriter(new Broken()))
                .setErr(new PrintWriter(err, true))
                .execute(gateway.line(command.split(" ")));

        assertThat(exit).isEqualTo(1);
        assertThat(err.toString()).contains("standard output cannot be written");
    }

    @Test
    void aWatchGoesOnWhileTheGatewayCannotAnswer() {
        gateway.at("/pool", 200, "{\"data\": []}");
        StringBuilder seen = new StringBuilder();
        Writer reader = new StringWriter() {
            @Override
            public void write(String text, int from, int length) {
                seen.append(text, from, from + length);
                boolean isBack = seen.indexOf("the database is away; trying again") >= 0;
                gateway.at(
                        "/pool",
                        isBack ? 403 : 503,
                        "{\"detail\": \"" + (isBack ? "no right" : "the database is away") + "\"}");
            }
        };
        StringWriter err = new StringWriter();

        int exit = Weir.commandLine()
                .setOut(new PrintWriter(reader))
                .setErr(new PrintWriter(err, true))
                .execute(gateway.line("pools", "--watch"));

        assertThat(exit).isEqualTo(1);
        assertThat(seen).contains("the database is away; trying again");
        assertThat(err.toString()).contains("no right");
    }

    @Test
    void whatACommandChangesIsChangedAlsoWhenNobodyReadsItsOutput() {
        gateway.at("/task/t1/paused", 200, "{}").at("/task/t2/paused", 200, "{}");

        int exit = Weir.commandLine()
                .setOut(new PrintWriter(new Broken()))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(gateway.line("task", "pause", "t1", "t2"));

        assertThat(exit).isEqualTo(1);
        assertThat(gateway.asked).anyMatch(request -> request.startsWith("PUT /task/t2/paused"));
    }

    @Test
    void aCommandWhoseReaderHasGoneEndsQuietly() throws Exception {
        gateway.at("/pool", 200, "{\"data\": []}");
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        line.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Weir.class.getName()));
        line.addAll(List.of(gateway.line("pools", "--json")));
        Process process = new ProcessBuilder(line).start();
        process.getInputStream().close();

        assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(process.waitFor()).isEqualTo(141);
    }

    @Test
    void inJsonPoolsAreAListAsAllOthers() {
        gateway.at("/pool", 200, "{\"data\": [{\"name\": \"cpu\"}]}");

        assertThat(gateway.weir(false, "pools", "--json").out())
                .isEqualTo("{\"more\":false,\"data\":[{\"name\":\"cpu\"}]}\n");
    }
}
