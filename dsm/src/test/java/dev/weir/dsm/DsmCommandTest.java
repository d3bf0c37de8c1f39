package dev.weir.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.dsm.register.RegisterOptions;
import dev.weir.dsm.register.Registrar;
import dev.weir.testing.ScratchDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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

    @Test
    @Timeout(60)
    void aDirectoryThatHasChangedOrIsAwayStopsNothing(@TempDir Path directory) throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("one"), "1");
        try (ScratchDatabase database = ScratchDatabase.create()) {
            assertThat(said(database, "run7=" + data)).contains("dataset run7: 1 files of " + data);
            Files.writeString(data.resolve("two"), "2");
            assertThat(said(database, "run7=" + data))
                    .contains("dataset run7 stays as it is in the catalogue", "new uid");
            assertThat(said(database, "run7=" + directory.resolve("away")))
                    .contains("dataset run7 stays as it is in the catalogue", "away");
        }
    }

    /** What the command writes until it serves. */
    private static String said(ScratchDatabase database, String dataset) throws InterruptedException {
        StringWriter said = new StringWriter();
        CommandLine command =
                new CommandLine(new DsmCommand()).setOut(new PrintWriter(said)).setErr(new PrintWriter(said));
        Thread serving = new Thread(() -> command.execute(
                "--port=0",
                "--no-registrations",
                "--no-checksums",
                "--postgres-url=" + database.jdbcUrl() + "?password=" + database.password(),
                "--postgres-user=" + database.user(),
                "--dataset=" + dataset));
        serving.start();
        await().until(() -> said.toString().contains("DSM answers at") || !serving.isAlive());
        serving.interrupt();
        serving.join();
        return said.toString();
    }
}
