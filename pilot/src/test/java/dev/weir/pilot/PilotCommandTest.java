package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.pilot.gateway.GatewaySettings;
import dev.weir.protocol.Device;
import dev.weir.protocol.Limits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

class PilotCommandTest {

    @TempDir
    Path temp;

    private final PilotCommand command = new PilotCommand();
    private final StringWriter out = new StringWriter();
    private final CommandLine line =
            new CommandLine(command).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));

    @Test
    void theHelpTellsEveryOptionWithItsDefault() {
        assertThat(line.execute("--help")).isZero();
        for (OptionSpec option : line.getCommandSpec().options()) {
            assertThat(out.toString()).contains(option.longestName());
            boolean hasDefault = option.defaultValue() != null;
            if (hasDefault) {
                assertThat(String.join(" ", option.description())).contains("Default:");
            }
        }
        assertThat(out.toString())
                .contains("amqp://user:password@broker:5672/%2f")
                .doesNotContain("%%");
    }

    @Test
    void withoutOptionsEverythingHasTheProtocolsDefaults() throws Exception {
        line.parseArgs("--executables", temp.toString());
        PilotSettings settings = command.settings();
        assertThat(settings.heartbeat()).isEqualTo(Duration.ofSeconds(15));
        assertThat(Rig.broker(settings).pools()).containsExactly("cpu");
        assertThat(Rig.broker(settings).jobsPrefix()).isEqualTo("weir.jobs.");
        assertThat(settings.device()).isEqualTo(Device.CPU);
        assertThat(settings.storageRoots()).isEmpty();
        assertThat(settings.run().maxLogBytes()).isEqualTo(16 << 20);
    }

    @Test
    void severalPoolsKeepTheirOrderAndAGpuPoolMeansAGpu() throws Exception {
        line.parseArgs("--executables", temp.toString(), "--pool", "gpu,cpu");
        assertThat(Rig.broker(command.settings()).pools()).containsExactly("gpu", "cpu");
        assertThat(command.settings().device()).isEqualTo(Device.CPU_GPU);
    }

    @Test
    void aWrongCommandLineIsExitCodeTwoAndSaysWhy() throws Exception {
        List<List<String>> wrong = List.of(
                List.of(),
                List.of("--executables", temp.toString(), "--id", "a/b"),
                List.of("--executables", temp.toString(), "--id", "all"),
                List.of("--executables", temp.toString(), "--pool", "cpu,gpu,cpu"),
                List.of("--executables", temp.toString(), "--pool", manyPools()),
                List.of("--executables", temp.toString(), "--amqp", "http://x"),
                List.of("--executables", temp.toString(), "--amqp", "amqp://u:secret@a_b/v"),
                List.of("--executables", temp.toString(), "--amqp", "amqp://u:sec ret@broker/v"),
                List.of("--executables", temp.toString(), "--amqp", "amqp://u:secret@broker/v"),
                List.of("--executables", temp.toString(), "--amqp", "amqp://broker/v", "--amqp-file", "-"),
                List.of("--executables", temp.toString(), "--gateway", "http://h"),
                List.of("--executables", temp.toString(), "--gateway", "http://h", "--amqp", "amqp://h"),
                List.of("--executables", temp.toString(), "--gateway", "http://u:secret@h", "--token-file", token()),
                List.of("--executables", temp.toString(), "--token-file", token()),
                List.of("--executables", temp.toString(), "--http-host", "http://x"),
                List.of("--executables", temp.toString(), "--device", "TPU"),
                List.of("--executables", temp.toString(), "--heartbeat", "soon"),
                List.of("--executables", temp.toString(), "--heartbeat", "0"),
                List.of("--executables", temp.toString(), "--max-log", "1"));
        for (List<String> arguments : wrong) {
            assertThat(line.execute(arguments.toArray(String[]::new)))
                    .as("%s", arguments)
                    .isEqualTo(2);
        }
        assertThat(out.toString())
                .contains(
                        "--executables",
                        "a/b",
                        "password in --amqp",
                        "host:port",
                        "TPU",
                        "soon",
                        "cpu,gpu,cpu",
                        "pool32");
        assertThat(out.toString()).doesNotContain("secret", "sec ret");
    }

    private static String manyPools() {
        return IntStream.rangeClosed(0, Limits.MAX_POOLS)
                .mapToObj(pool -> "pool" + pool)
                .collect(Collectors.joining(","));
    }

    private String token() throws IOException {
        return Files.writeString(temp.resolve("token"), "weir_secret\n").toString();
    }

    @Test
    void theGatewaysTokenIsTheFirstLineOfAFile() throws Exception {
        line.parseArgs(
                "--executables",
                temp.toString(),
                "--gateway",
                "https://weir:8090",
                "--token-file",
                token(),
                "--pool",
                "gpu,cpu");
        GatewaySettings gateway = (GatewaySettings) command.settings().uplink();
        assertThat(gateway.url()).hasToString("https://weir:8090");
        assertThat(gateway.token()).isEqualTo("weir_secret");
        assertThat(gateway.pools()).containsExactly("gpu", "cpu");
        assertThat(gateway.reconnectFor()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void timesAndSizesAreReadWithTheirUnits() {
        DurationOption times = new DurationOption();
        assertThat(times.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(times.convert("15")).isEqualTo(Duration.ofSeconds(15));
        assertThat(times.convert("2H")).isEqualTo(Duration.ofHours(2));
        assertThat(times.convert("PT1M")).isEqualTo(Duration.ofMinutes(1));
        BytesOption sizes = new BytesOption();
        assertThat(sizes.convert("64k")).isEqualTo(65536);
        assertThat(sizes.convert("1GiB")).isEqualTo(1L << 30);
        assertThatThrownBy(() -> sizes.convert("999999999999T")).isInstanceOf(TypeConversionException.class);
        assertThatThrownBy(() -> sizes.convert("-1")).isInstanceOf(TypeConversionException.class);
    }

    @Test
    void aHostNameMakesAValidIdThatIsNewEachTime() throws Exception {
        line.parseArgs("--executables", temp.toString());
        String first = command.settings().id();
        assertThat(first).matches(Pattern.compile("[A-Za-z0-9._-]+-[0-9a-f]{8}"));
        assertThat(command.settings().id()).isNotEqualTo(first);
    }

    @Test
    void theWorkDirectoryIsNotWhereOthersCanMakeItFirst() throws Exception {
        line.parseArgs("--executables", temp.toString());
        Path work = command.settings().workDirectory();
        assertThat(work).isAbsolute();
        for (String shared : List.of("/tmp", "/var/tmp", "/dev/shm")) {
            assertThat(work.startsWith(shared)).isFalse();
        }
    }

    @Test
    void theBrokersUrlIsTheFirstLineOfAFile() throws Exception {
        Path file = Files.writeString(temp.resolve("url"), " amqp://u:secret@broker/v \nmore\n");
        line.parseArgs("--executables", temp.toString(), "--amqp-file", file.toString());
        assertThat(Rig.broker(command.settings()).url()).isEqualTo("amqp://u:secret@broker/v");
        InputStream typed = new ByteArrayInputStream("amqp://u:p@b/v".getBytes(StandardCharsets.UTF_8));
        assertThat(BrokerUrl.find(null, "-", typed)).isEqualTo("amqp://u:p@b/v");
        assertThatThrownBy(() -> BrokerUrl.find(null, "-", InputStream.nullInputStream()))
                .hasMessageContaining("has no URL");
        assertThatThrownBy(() -> BrokerUrl.find(null, "/none", InputStream.nullInputStream()))
                .hasMessageContaining("cannot be read");
        assertThat(BrokerUrl.find("amqp://guest:guest@localhost", null, System.in))
                .contains("guest");
    }
}
