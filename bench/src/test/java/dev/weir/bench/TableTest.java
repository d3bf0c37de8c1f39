package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final Outcome OUTCOME = new Outcome(
            "placement",
            List.of(
                    Row.atMost(
                            "ten million virtual chunks on two thousand workers and six thousand rings, wall",
                            4.25,
                            5,
                            "s"),
                    Row.atLeast("choices a second", 999_000, 1_000_000, "1/s"),
                    Row.of("share that moved", 0.0021, "")),
            List.of(),
            Map.of(),
            1.5,
            Optional.empty());

    @Test
    void everyLineFitsTheTerminalAndLongNamesAreWrapped() {
        String table = new Table(72).render(List.of(OUTCOME));

        assertThat(table.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(72));
        assertThat(table.replaceAll("\\s+", " ")).contains("two thousand workers", "wall");
    }

    @Test
    void aRowSaysWhatWasMeasuredAgainstWhichGoalAndWhetherItWasMet() {
        String table = new Table(200).render(List.of(OUTCOME));

        assertThat(table).containsPattern("wall +\\| +4.25 s \\| +≤ 5 s \\| met");
        assertThat(table).containsPattern("choices a second +\\| +999,000 1/s \\| ≥ 1,000,000 1/s \\| missed");
        assertThat(table).containsPattern("share that moved +\\| +0.0021 \\| +\\|");
    }

    @Test
    void aTraceOfNothingIsShownAsNothing() {
        assertThat(Table.figure(0.0000199, "B")).isEqualTo("0 B");
        assertThat(Table.figure(0, "B")).isEqualTo("0 B");
        assertThat(Table.figure(0.0007, "B")).isEqualTo("0.0007 B");
    }

    @Test
    void aBenchmarkThatCouldNotBeMeasuredSaysWhy() {
        Outcome failed = new Outcome("rabbitmq", List.of(), List.of(), Map.of(), 0.1, Optional.of("no broker"));

        assertThat(new Table(100).render(List.of(failed))).contains("rabbitmq (failed: no broker)");
    }
}
