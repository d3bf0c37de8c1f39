package dev.weir.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docker-compose.yml, whose services share a volume with inputs, outputs and logs. */
class ComposeTest {

    private static List<String> options(String name) throws IOException {
        String begin = "- --" + name + "=";
        return Files.readAllLines(Project.ROOT.resolve("docker-compose.yml")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()))
                .toList();
    }

    @Test
    void theGatewayShowsLogsOfTheStorageOnlyAndNotOfDatasetsBesideIt() throws IOException {
        List<String> roots = options("log-root");

        assertThat(roots).hasSize(1).doesNotContainAnyElementsOf(options("allow"));
        assertThat(options("storage")).containsExactly("scratch=file://" + roots.get(0));
        assertThat(options("storage-root")).anyMatch(root -> roots.get(0).startsWith(root + "/"));
        assertThat(Files.readString(Project.ROOT.resolve("docs/OPERATIONS.md")))
                .as("the task of the example writes there")
                .contains("\\\"dat_stor_url\\\": \\\"file://" + roots.get(0) + "\\\"");
    }

    /** It is not healthy while it compares a long check-list. */
    @Test
    void weirIsStartedBesideADsmThatIsNotHealthy() throws IOException {
        assertThat(Files.readString(Project.ROOT.resolve("docker-compose.yml")))
                .containsPattern("dsm:\n +condition: service_started")
                .doesNotContainPattern("dsm:\n +condition: service_healthy");
    }

    private static String said(Path directory, String curl) throws Exception {
        Path program = Files.writeString(directory.resolve("curl"), "#!/bin/sh\n" + curl + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String compose = Files.readString(Project.ROOT.resolve("docker-compose.yml"));
        int begin = compose.indexOf("sh /rabbitmq-accounts");
        String script = compose.substring(begin, compose.indexOf("depends_on:", begin))
                .replace("sh /rabbitmq-accounts", "echo {}")
                .replace("/tmp/", directory + "/")
                .replace("$$", "$");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-euc", script).redirectErrorStream(true);
        builder.environment().put("ADMINISTRATOR", "admin:new");
        builder.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + text;
    }

    /** The broker keeps the password of its first start. */
    @Test
    void theAccountsAreNotMadeWithAnotherPasswordThanThatOfTheBrokerAndTheLogSaysWhereToChangeIt(
            @TempDir Path directory) throws Exception {
        assertThat(said(directory, "exit 0")).isEqualTo("0 ");
        assertThat(said(directory, "echo 'curl: (22) error: 401' >&2; exit 22"))
                .startsWith("22 curl: (22) error: 401")
                .contains("401", "RABBITMQ_PASSWORD", "docs/OPERATIONS.md");
        assertThat(said(directory, "echo 'curl: (7) no connection' >&2; exit 7"))
                .isEqualTo("7 curl: (7) no connection\n");
    }
}
