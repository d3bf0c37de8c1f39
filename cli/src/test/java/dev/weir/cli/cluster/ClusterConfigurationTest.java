package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.GlobalConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterConfigurationTest {

    @TempDir
    Path directory;

    private Path given;

    @BeforeEach
    void prepare() throws IOException {
        given = Files.createDirectories(directory.resolve("given"));
        Files.writeString(given.resolve("config.yaml"), """
                # Comment
                rest.port: 8081
                execution.checkpointing.dir: file:///elsewhere
                env.java.opts.all: >-
                  -XX:+UseG1GC
                  -Xlog:gc
                taskmanager.numberOfTaskSlots: 2
                """);
        Files.writeString(given.resolve("log4j2-cluster.properties"), "status = error");
        Files.writeString(given.resolve("weir.yaml"), "weir.amqp.password: secret");
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.write(directory.resolve(name), List.of(lines));
    }

    private ClusterConfiguration of(Map<String, String> single, Path... files) throws IOException {
        return ClusterConfiguration.of(given, List.of(files), single);
    }

    @Test
    void filesOverrideConfigYamlAndTheirPasswordsAreInAFileOfTheirOwner() throws IOException {
        Path first = file("a.yaml", "execution.checkpointing.dir: s3://a/b", "s3.secret-key: \"it's\"");
        Path second = file("b.yaml", "execution.checkpointing.dir: s3://c/d");

        Path made = of(Map.of(), first, second).write(directory.resolve("made"));

        assertThat(made).isEqualTo(directory.resolve("made"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        assertThat(GlobalConfiguration.loadConfiguration(made.toString()).toMap())
                .containsOnly(
                        Map.entry("rest.port", "8081"),
                        Map.entry("execution.checkpointing.dir", "s3://c/d"),
                        Map.entry("env.java.opts.all", "-XX:+UseG1GC -Xlog:gc"),
                        Map.entry("taskmanager.numberOfTaskSlots", "2"),
                        Map.entry("s3.secret-key", "it's"));
        assertThat(made.resolve("log4j2-cluster.properties")).exists();
        assertThat(made.resolve("weir.yaml")).doesNotExist();
    }

    @Test
    void aValueOfSeveralLinesIsReplacedAsAWhole() throws IOException {
        Path made = of(Map.of(), file("a.yaml", "env.java.opts.all: -Xint")).write(directory.resolve("made"));

        assertThat(GlobalConfiguration.loadConfiguration(made.toString()).toMap())
                .containsEntry("env.java.opts.all", "-Xint")
                .containsEntry("taskmanager.numberOfTaskSlots", "2");
    }

    @Test
    void withoutFilesTheGivenDirectoryIsUsedAsItIs() throws IOException {
        assertThat(of(Map.of("a", "b")).write(directory.resolve("made"))).isEqualTo(given);
        assertThat(directory.resolve("made")).doesNotExist();
    }

    @Test
    void onTheCommandLineAreTheDefaultsThatNoFileSetsAndTheSingleSettings() throws IOException {
        ClusterConfiguration configuration = of(Map.of("c", "single"), file("a.yaml", "b: file", "c: file"));

        assertThat(configuration.over(Map.of("a", "default", "b", "default", "c", "default")))
                .containsOnly(Map.entry("a", "default"), Map.entry("c", "single"));
    }

    @Test
    void highAvailabilityAndTlsAreKnownFromWhereverTheyAreSet() throws IOException {
        assertThat(of(Map.of()).isHighlyAvailable()).isFalse();
        assertThat(of(Map.of()).isTls()).isFalse();
        assertThat(of(Map.of(), file("a.yaml", "high-availability.type: zookeeper"))
                        .isHighlyAvailable())
                .isTrue();
        assertThat(of(Map.of("security.ssl.rest.enabled", "true")).isTls()).isTrue();
    }

    @Test
    void aMissingFileAndAMissingVariableAreNamed() throws IOException {
        Path none = directory.resolve("none.yaml");
        assertThatThrownBy(() -> of(Map.of(), none))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.yaml")
                .hasMessageContaining("--settings");

        Path variable = file("a.yaml", "s3.access-key: ${WEIR_TEST_NEVER_SET}");
        assertThatThrownBy(() -> of(Map.of(), variable)).hasMessageContaining("WEIR_TEST_NEVER_SET");
        assertThatThrownBy(() -> ClusterConfiguration.of(directory, List.of(), Map.of()))
                .hasMessageContaining("config.yaml")
                .hasMessageContaining("--conf");
    }
}
