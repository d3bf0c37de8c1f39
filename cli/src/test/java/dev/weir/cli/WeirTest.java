package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class WeirTest {

    @Test
    void theCommandLineStartsAndEveryCommandExplainsItself() {
        CommandLine weir = new CommandLine(new Weir());

        assertThat(weir.getSubcommands()).containsKeys("demo", "up", "run", "pilot", "dsm", "sim");
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
}
