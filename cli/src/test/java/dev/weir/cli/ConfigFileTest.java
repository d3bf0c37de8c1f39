package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.JobOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

    @TempDir
    Path directory;

    @Test
    void nestedAndDottedKeysAndListsAreReadAsFlinkReadsThem() throws IOException {
        Configuration read = read("""
                weir.amqp.uri: amqp://broker:5672/%2f
                weir:
                  amqp:
                    prefetch: 500
                  pools: [cpu, gpu, big]
                """);
        assertThat(read.get(AmqpOptions.URI)).isEqualTo("amqp://broker:5672/%2f");
        assertThat(read.get(AmqpOptions.PREFETCH)).isEqualTo(500);
        assertThat(read.get(JobOptions.POOLS)).containsExactly("cpu", "gpu", "big");
    }

    @Test
    void environmentVariablesStandForSecretsAndMayHaveADefault() throws IOException {
        Configuration read = read("""
                weir.amqp.password: ${BROKER_PASSWORD}
                weir.amqp.uri: amqp://${BROKER_HOST:-localhost}:5672
                """);
        assertThat(read.get(AmqpOptions.PASSWORD)).isEqualTo("s$cret");
        assertThat(read.get(AmqpOptions.URI)).isEqualTo("amqp://localhost:5672");
    }

    @Test
    void aVariableThatIsNotSetIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> read("weir.amqp.password: ${NOT_SET}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("NOT_SET")
                .hasMessageContaining("weir.amqp.password");
    }

    @Test
    void whatIsNotYamlIsSaidSo() {
        assertThatThrownBy(() -> read("weir: [unclosed")).hasMessageContaining("not valid YAML");
        assertThatThrownBy(() -> ConfigFile.read(directory.resolve("none.yaml")))
                .hasMessageContaining("--config");
    }

    private Configuration read(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("weir.yaml"), yaml);
        return ConfigFile.read(file, Map.of("BROKER_PASSWORD", "s$cret")::get);
    }
}
