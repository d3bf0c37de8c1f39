package dev.weir.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
