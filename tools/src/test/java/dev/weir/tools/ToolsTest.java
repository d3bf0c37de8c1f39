package dev.weir.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToolsTest {

    @ParameterizedTest
    @ValueSource(strings = {"sim", "bench", "chaos"})
    void theCommandLineFindsTheDeveloperCommandsWhichExplainThemselves(String name) {
        StringWriter said = new StringWriter();

        int exit = Weir.commandLine().setOut(new PrintWriter(said)).execute(name, "--help");

        assertThat(exit).isZero();
        assertThat(said.toString()).startsWith("Usage: weir " + name).contains("--json");
    }
}
