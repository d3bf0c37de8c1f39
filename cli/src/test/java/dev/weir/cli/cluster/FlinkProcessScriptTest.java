package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program {@code flink-process}, with a Java that prints its arguments. */
class FlinkProcessScriptTest {

    private static final String OWN = """
            env.java.opts.all: >-
              -XX:+ExitOnOutOfMemoryError
              --add-opens=java.base/java.util=ALL-UNNAMED

            # Comment
            rest.port: 8081
            """;

    @TempDir
    Path home;

    private record Said(int exit, List<String> lines) {

        String text() {
            return String.join("\n", lines);
        }
    }

    @BeforeEach
    void install() throws IOException {
        for (String directory : List.of("bin", "lib", "flink", "conf", "log", "jdk/bin")) {
            Files.createDirectories(home.resolve(directory));
        }
        Files.copy(Path.of("../docker/flink-process"), home.resolve("bin/flink-process"));
        Path java = Files.writeString(home.resolve("jdk/bin/java"), """
                #!/bin/sh
                case "$*" in *BashJavaUtils*) echo BASH_JAVA_UTILS_EXEC_RESULT:-Xmx99m; exit ;; esac
                for argument; do echo "$argument"; done
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private Said run(String config, String... arguments) throws Exception {
        Process process = start(config, arguments);
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text.lines().toList());
    }

    private Process start(String config, String... arguments) throws IOException {
        Files.writeString(home.resolve("conf/config.yaml"), config);
        List<String> command = new ArrayList<>(
                List.of("/bin/sh", home.resolve("bin/flink-process").toString(), "taskmanager"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("WEIR_JAVA_OPTS");
        builder.environment()
                .putAll(Map.of(
                        "WEIR_CONF", home.resolve("conf").toString(),
                        "WEIR_LOG", home.resolve("log").toString(),
                        "JAVA_HOME", home.resolve("jdk").toString()));
        return builder.start();
    }

    @Test
    void javaGetsItsMemoryItsOptionsAndTheSettings() throws Exception {
        Said said = run(OWN, "-D", "a=b", "-Dc=d");

        assertThat(said.exit()).isZero();
        assertThat(said.lines())
                .startsWith(
                        "-Xmx99m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "-Dlog.file=" + home.resolve("log/taskmanager.log"))
                .contains("-Da=b", "-Dc=d")
                .doesNotContain("rest.port: 8081");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "env.java.opts.all: -Xint -Xlog:gc",
                "env.java.opts.all: '-Xint -Xlog:gc'\nrest.port: 1",
                "rest.port: 1\nenv.java.opts.all: \"-Xint -Xlog:gc\"\n",
                "env.java.opts.all: -Xint\n  -Xlog:gc\nrest.port: 1\n",
                "env.java.opts.all: |\n  -Xint\n\n  -Xlog:gc\n"
            })
    void optionsCountHoweverTheirValueIsWritten(String config) throws Exception {
        assertThat(run(config).lines())
                .startsWith("-Xmx99m", "-Xint", "-Xlog:gc", "-Dlog.file=" + home.resolve("log/taskmanager.log"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rest.port: 8081\n",
                "env.java.opts.all:\nrest.port: 8081\n",
                "env.java.opts.all: [-Xint]\n",
                "env:\n  java.opts.all: -Xint\n"
            })
    void withoutOptionsThatCanBeReadNothingStarts(String config) throws Exception {
        Said said = run(config);

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .startsWith("flink-process: ")
                .contains("config.yaml", "env.java.opts.all");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "env.java.opts",
                "env.java.opts.jobmanager",
                "env.java.opts.taskmanager",
                "'env.java.opts.taskmanager'",
                "env.java.default-opts.all"
            })
    void anotherKeyForOptionsIsRefusedAndNamed(String key) throws Exception {
        Said said = run(OWN + key + ": -Xint\n");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .contains("config.yaml sets " + key.replace("'", "") + ", which is not read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rest.address: ${HOST}", "s3:\n  key: \"${KEY:-none}\"  # ours", "a: ['${B}/c']"})
    void aVariableThatNothingWouldReplaceIsRefusedAndItsLineNamed(String setting) throws Exception {
        Said said = run("# As ${X} in weir.yaml\n" + setting + "\n" + OWN);

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .contains("line " + (setting.startsWith("s3") ? 3 : 2) + " of ", "config.yaml has ${...}", "--settings")
                .doesNotContain("KEY");
    }

    @Test
    void textThatOnlyLooksLikeAVariableMayStandInAValueAndAnyInAComment() throws Exception {
        assertThat(run("s3.secret-key: 'a${b$}c'  # not ${KEY}\n" + OWN).exit()).isZero();
    }

    @Test
    void optionsOfJavaAndBlanksOnTheCommandLineAreRefused() throws Exception {
        for (String key : List.of("env.java.opts", "env.java.opts.all", "env.java.opts.taskmanager")) {
            Said said = run(OWN, "-D" + key + "=-Xint");
            assertThat(said.exit()).isEqualTo(2);
            assertThat(said.lines())
                    .singleElement()
                    .asString()
                    .contains("-D cannot set " + key + ";", "WEIR_JAVA_OPTS");
        }
        for (String[] blank : List.of(new String[] {"-D", "secret=x y"}, new String[] {"-Dsecret=x y"})) {
            Said said = run(OWN, blank);
            assertThat(said.exit()).isEqualTo(2);
            assertThat(said.lines())
                    .singleElement()
                    .asString()
                    .contains("cannot contain a blank; set secret in config.yaml")
                    .doesNotContain("x y");
        }
        assertThat(run(OWN, "-D").text()).isEqualTo("flink-process: -D needs KEY=VALUE");
    }

    /** Of a TaskManager, as Flink names it. */
    private static Path workingCopy(Path directory) throws IOException {
        Path copy = directory.resolve("tm_10.0.0.7:6122-3f07");
        Path rocks = Files.createDirectories(copy.resolve("tmp/job_07_op_KeyedProcessOperator_1__1_1__uuid_3f/db"));
        Files.writeString(rocks.resolve("000007.sst"), "rows");
        return copy;
    }

    @Test
    void aTaskManagerDeletesTheWorkingCopiesOfOneThatWasKilled() throws Exception {
        Path ofConfig = workingCopy(home.resolve("working"));
        Path other = Files.writeString(home.resolve("working/notes"), "keep");
        Path ofCommand = workingCopy(home.resolve("fast disk/working"));
        String config = OWN + "process.taskmanager.working-dir: ";

        assertThat(run(config + ofConfig.getParent()).exit()).isZero();
        assertThat(ofConfig).doesNotExist();
        assertThat(other).exists();

        assertThat(run(config + "'" + ofCommand.getParent() + "'  # fast\n").exit())
                .isZero();
        assertThat(ofCommand).doesNotExist();

        Path later = workingCopy(home.resolve("later"));
        Path unused = workingCopy(home.resolve("working"));
        assertThat(run(
                                config + unused.getParent(),
                                "-D",
                                "process.taskmanager.working-dir=" + home.resolve("earlier"),
                                "-Dprocess.taskmanager.working-dir=" + later.getParent())
                        .exit())
                .isZero();
        assertThat(later).doesNotExist();
        assertThat(unused).exists();
    }

    @Test
    void theWorkingCopiesOfATaskManagerThatLivesStayAndASecondOneDoesNotStart() throws Exception {
        Path used = home.resolve("working");
        String config = OWN + "process.taskmanager.working-dir: " + used;
        Path java = home.resolve("jdk/bin/java");
        String prints = Files.readString(java);
        Files.writeString(java, prints + "echo ready; exec sleep 600\n");
        Process first = start(config);
        try {
            assertThat(first.inputReader().lines().anyMatch("ready"::equals)).isTrue();
            Path copy = workingCopy(used);
            Files.writeString(java, prints);

            Said second = run(config);

            assertThat(second.exit()).isEqualTo(1);
            assertThat(second.lines())
                    .singleElement()
                    .asString()
                    .contains(used.toString(), "another TaskManager", "process.taskmanager.working-dir");
            assertThat(copy).exists();
        } finally {
            first.destroyForcibly().waitFor();
        }
        assertThat(run(config).exit()).isZero();
    }

    @Test
    void whatFlinkSaysOfItsMemoryIsShownWhenItCannotBeDivided() throws Exception {
        Path java = home.resolve("jdk/bin/java");
        Files.writeString(java, """
                #!/bin/sh
                echo "IllegalConfigurationException: Sum of configured Framework Heap Memory exceed" >&2
                echo "    at org.apache.flink.Some.where(Some.java:1)" >&2
                exit 1
                """);

        Said said = run(OWN);

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.text())
                .startsWith("flink-process: Flink cannot divide the memory")
                .endsWith("IllegalConfigurationException: Sum of configured Framework Heap Memory exceed");
    }

    @Test
    void theHelpNamesTheVariableForFurtherOptions() throws Exception {
        assertThat(run(OWN, "--help").text()).contains("WEIR_JAVA_OPTS");
    }
}
