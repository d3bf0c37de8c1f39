package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailureMessageTest {

    @Command(name = "failing")
    static final class Failing implements Callable<Integer> {
        @Override
        public Integer call() throws IOException {
            throw new IOException("a pilot said:\n\u001b[2Jall is well\rnow \u009b1m");
        }
    }

    @Test
    void aReasonKeepsItsLinesAndHasNothingThatATerminalWouldObey() {
        StringWriter err = new StringWriter();
        int exit = new CommandLine(new Failing())
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(new FailureMessage())
                .execute();

        assertThat(err.toString()).isEqualTo("failing: a pilot said:\n?[2Jall is well\nnow ?1m\n");
        assertThat(exit).isEqualTo(1);
    }
}
