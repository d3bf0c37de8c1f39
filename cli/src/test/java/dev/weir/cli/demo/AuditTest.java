package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.FileInfo;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditTest {

    private final DemoTask task = TestTasks.task("count", 3, 1);

    @Test
    void anOutputOrLogsWithoutOneAreOneOutcomeOfAFile() throws IOException {
        Outcome outcome = audit(
                List.of(file("j1", "a.0.1.out"), file("j2", "b.1.2.out")),
                List.of(
                        file("j1", "a.0.1.log"),
                        file("j2", "b.1.2.log"),
                        file("j3", "c.2.1.log"),
                        file("j3", "c.2.2.log")));

        assertThat(outcome).isEqualTo(new Outcome(2, 1, 0, 0, List.of()));
        assertThat(outcome.isSound()).isTrue();
    }

    @Test
    void aFileWithoutAnyTraceIsLost() throws IOException {
        Outcome outcome = audit(List.of(file("j1", "a.0.1.out")), List.of(file("j2", "b.1.1.log")));
        assertThat(outcome.lost()).isEqualTo(1);
        assertThat(outcome.isSound()).isFalse();
    }

    @Test
    void twoOutputsOfOneJobAreADuplicate() throws IOException {
        Outcome outcome = audit(
                List.of(file("j1", "a.0.1.out"), file("j1", "a.0.2.out"), file("j2", "b.out"), file("j3", "c.out")),
                List.of());
        assertThat(outcome.duplicates()).isEqualTo(1);
        assertThat(outcome.finished()).isEqualTo(3);
    }

    @Test
    void moreJobsThanFilesAreDuplicates() throws IOException {
        Outcome outcome = audit(List.of(file("j1", "a"), file("j2", "b"), file("j3", "c"), file("j4", "d")), List.of());
        assertThat(outcome.duplicates()).isEqualTo(1);
    }

    @Test
    void anOutputThatOnlyTheCatalogueKnowsIsMissingAndItsFileLost() throws IOException {
        Outcome outcome =
                audit(List.of(file("j1", "a.0.1.out"), file("j2", "b.1.1.out"), file("j3", "gone")), List.of());
        assertThat(outcome.missing()).containsExactly("file:///data/out/count/j3/gone");
        assertThat(outcome.lost()).isEqualTo(1);
    }

    private Outcome audit(List<FileInfo> outputs, List<FileInfo> logs) throws IOException {
        return Audit.outcome(task, outputs, logs, file -> !file.name().equals("gone"));
    }

    private static FileInfo file(String job, String name) {
        return new FileInfo(name, "file:///data", "out/count/" + job, 5L, null, null, null, null);
    }
}
