package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class WeirTest {

    @Test
    void theCommandLineStartsAndEveryCommandExplainsItself() {
        CommandLine weir = new CommandLine(new Weir());

        assertThat(weir.getSubcommands())
                .containsKeys(
                        "demo",
                        "up",
                        "run",
                        "submit",
                        "cluster",
                        "pilot",
                        "dsm",
                        "gateway",
                        "place",
                        "test",
                        "task",
                        "job",
                        "pilots",
                        "pools",
                        "limits",
                        "rejected",
                        "state",
                        "status");
        for (String name : weir.getSubcommands().keySet()) {
            if (!name.equals("help")) {
                StringWriter said = new StringWriter();
                assertThat(weir.setOut(new PrintWriter(said)).execute(name, "--help"))
                        .as(name)
                        .isZero();
                assertThat(said.toString()).as(name).startsWith("Usage: weir " + name);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "cluster, start stop status savepoint restore",
        "task, send list show why rank pause resume cancel close retry",
        "job, list show log",
        "pilots, drain exclude include",
        "pools, pause resume drain"
    })
    void everyCommandBelowACommandExplainsItself(String above, String names) {
        CommandLine weir = new CommandLine(new Weir());

        assertThat(weir.getSubcommands().get(above).getSubcommands()).containsOnlyKeys(names.split(" "));
        for (String name : names.split(" ")) {
            StringWriter said = new StringWriter();
            assertThat(weir.setOut(new PrintWriter(said)).execute(above, name, "--help"))
                    .as(name)
                    .isZero();
            assertThat(said.toString()).as(name).startsWith("Usage: weir " + above + " " + name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sim", "bench"})
    void aDeveloperCommandSaysThatItIsNotInstalledWhateverItsArguments(String name) {
        StringWriter said = new StringWriter();

        int exit = Weir.commandLine()
                .setExecutionExceptionHandler(new FailureMessage())
                .setErr(new PrintWriter(said, true))
                .execute(name, "--help", "--seeds", "3", "core");

        assertThat(exit).isEqualTo(1);
        assertThat(said.toString()).startsWith("weir " + name + ": needs the developer tools");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "place",
                "place --workers a --chunks b --out c --mode none",
                "up --pilots -1",
                "up --fresh --accept-loss --data none",
                "gateway",
                "gateway token --name a",
                "gateway token --name a --role PILOT --tokens-file none/tokens",
                "gateway token --name a --role VIEWER --tokens-file none/tokens --days 0",
                "run --fsh",
                "cluster",
                "cluster start --task-managers 0",
                "cluster start -D heartbeat.timeout=a\tb",
                "submit --config a --rest moon",
                "submit --config a --fresh --from mirror=b",
                "cluster savepoint --timeout 0",
                "cluster savepoint --stop --to /backup",
                "state",
                "task",
                "task rank a b",
                "task pause a --wait 61",
                "job",
                "",
                "plaec"
            })
    void aWrongCommandLineGivesTheReasonAndNotTheWholeHelp(String line) {
        StringWriter said = new StringWriter();

        int exit = Weir.commandLine()
                .setErr(new PrintWriter(said, true))
                .execute(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(exit).isEqualTo(2);
        assertThat(said.toString()).startsWith("weir").hasLineCount(2);
    }

    @Test
    void aFailureThatIsOnlyAPathIsExplained(@TempDir Path temp) throws IOException {
        Path file = Files.writeString(temp.resolve("data"), "no directory");
        StringWriter said = new StringWriter();

        int exit = new CommandLine(new Weir())
                .setExecutionExceptionHandler(new FailureMessage())
                .setErr(new PrintWriter(said, true))
                .execute("up", "--data", file.toString());

        assertThat(exit).isEqualTo(1);
        assertThat(said.toString()).contains(file + ": this is a file, but a directory is required");
    }
}
