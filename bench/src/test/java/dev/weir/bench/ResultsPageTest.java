package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsPageTest {

    private static final Path DOCS = Path.of("..", "docs");

    @TempDir
    Path directory;

    @Test
    void theCommittedPageShowsTheCommittedResults() throws IOException {
        ResultsPage page = new ResultsPage(DOCS);
        if (Boolean.getBoolean("weir.regenerate")) {
            page.write();
        }
        assertThat(Files.readString(page.file())).isEqualTo(page.generated());
    }

    @Test
    void everyCommittedResultIsOnThePage() throws IOException {
        try (var results = Files.list(DOCS.resolve("results"))) {
            String page = Files.readString(new ResultsPage(DOCS).file());

            assertThat(results.map(file -> file.getFileName().toString().replace(".json", "")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(page).contains("<!-- results of " + name + " -->"));
        }
    }

    @Test
    void aKeptResultReplacesTheTableBetweenItsMarkersAndNothingElse() throws IOException {
        ResultsPage page = new ResultsPage(directory);
        Files.writeString(page.file(), "before\n<!-- results of core -->\nold\n<!-- end of results -->\nafter\n");
        Path run = Files.createDirectory(directory.resolve("run"));
        Files.writeString(run.resolve("result.json"), """
                {"machine": {"cores": 2, "cpu": "Abacus", "memory": "24 GiB", "os": "Linux 6", "java": "OpenJDK 17"},
                 "rows": [
                   {"what": "ten: wall time", "measured": 1.5, "unit": "s", "goal": "≤ 1.0", "verdict": "missed"},
                   {"what": "ten: processor time", "measured": 0.75, "unit": "s"},
                   {"what": "twenty: wall time", "measured": 3, "unit": "s"},
                   {"what": "fill: full", "measured": 0.99, "unit": "", "goal": "≥ 0.985", "verdict": "met"}]}
                """);
        Path figure = Files.writeString(run.resolve("time.svg"), "<svg/>");

        page.keep(new Outcome("core", List.of(), List.of(figure), Map.of(), 1, Optional.empty()), run);
        page.write();

        assertThat(page.file()).hasContent("""
                before
                <!-- results of core -->
                Machine: 2 × Abacus, 24 GiB, Linux 6, OpenJDK 17.

                | what | wall time | processor time |
                |---|---|---|
                | ten | 1.5 s (≤ 1 s, missed) | 0.75 s |
                | twenty | 3 s | |

                | what | measured |
                |---|---|
                | fill: full | 0.99 (≥ 0.985, met) |
                <!-- end of results -->
                after
                """);
        assertThat(directory.resolve("figures/core-time.svg")).hasContent("<svg/>");
        assertThat(directory.resolve("results/core.json")).content().contains("[ \"core-time.svg\" ]");
    }
}
