package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerCommandTest {

    @Test
    void aProgramThatCannotBeStartedTakesNoItem() {
        for (String program : List.of("./no-such-program", "no-such-program-anywhere")) {
            assertThat(Weir.commandLine()
                            .setErr(new PrintWriter(Writer.nullWriter()))
                            .execute("worker", "--queue", "scans", "--exec", program))
                    .isEqualTo(2);
        }
    }

    @Test
    void aTimeInWhichNoProgramEndsTakesNoItem() {
        for (String time : List.of("0", "0ms", "PT-5S")) {
            StringWriter err = new StringWriter();

            assertThat(Weir.commandLine()
                            .setErr(new PrintWriter(err, true))
                            .execute("worker", "--queue", "scans", "--exec", "cat", "--timeout", time))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("--timeout must be more than 0");
        }
    }

    @Test
    void optionsAmongTheArgumentsOfTheProgramAreForTheProgram() {
        assertThat(arguments("host", "--timeout", "5", "--verbose"))
                .containsExactly("host", "--timeout", "5", "--verbose");
        assertThat(arguments("--slots", "4", "--", "--timeout", "5", "--", "host"))
                .containsExactly("--timeout", "5", "--", "host");
    }

    private static List<String> arguments(String... end) {
        List<String> line = new ArrayList<>(List.of("worker", "--queue", "scans", "--exec", "./scan.py"));
        line.addAll(List.of(end));
        return Weir.commandLine()
                .parseArgs(line.toArray(String[]::new))
                .subcommand()
                .matchedPositionalValue(0, List.of());
    }
}
