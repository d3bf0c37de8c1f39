package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void anUnknownNameIsAWrongCommandLineAndNamesTheKnownOnes() {
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no benchmark 'nonsense'", "there are:");
    }

    @Test
    void listingMeasuresNothingAndSucceeds() {
        assertThat(run("--list")).isZero();
        assertThat(err.toString()).isEmpty();
    }
}
