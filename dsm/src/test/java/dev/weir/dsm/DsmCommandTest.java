package dev.weir.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.dsm.register.RegisterOptions;
import dev.weir.dsm.register.Registrar;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class DsmCommandTest {

    @Test
    void theHelpExplainsEveryOption() {
        StringWriter text = new StringWriter();
        CommandLine command = new CommandLine(new DsmCommand()).setOut(new PrintWriter(text));

        assertThat(command.execute("--help")).isZero();

        for (OptionSpec option : command.getCommandSpec().options()) {
            assertThat(text.toString()).contains(option.longestName());
            assertThat(option.description()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "foo",
                "http://localhost",
                "amqp://:::",
                "amqp://h:99999999",
                "amqp://u:secret@a_b/v",
                "amqp://u:sec ret@h"
            })
    void whatIsNoBrokersAddressIsSaid(String address) {
        assertThatThrownBy(() -> new Registrar(RegisterOptions.at(address), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amqp://")
                .hasMessageNotContaining("sec")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--port=many", "--port=99999", "--port=-1", "--storage=tape=somewhere", "--storage=tape=a://b c"
            })
    void aWrongOptionIsAMistakeOfTheCaller(String option) {
        StringWriter said = new StringWriter();
        CommandLine command = new CommandLine(new DsmCommand()).setErr(new PrintWriter(said));

        assertThat(command.execute(option)).isEqualTo(2);
        assertThat(said.toString()).contains(option.substring(0, option.indexOf('=')));
    }
}
