package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharesTest {

    @Test
    void tasksServedByTheirWeightsHaveTheSharesOfTheirWeights() {
        List<String> starts = new ArrayList<>();
        for (int cycle = 0; cycle < 10; cycle++) {
            starts.addAll(Collections.nCopies(2, "heavy"));
            starts.add("light");
        }

        Map<String, Double> shares = Shares.of(firsts(starts), jobs("heavy", 1000, "light", 1000));

        assertThat(shares.get("heavy"))
                .isCloseTo(Shares.ofWeights(jobs("heavy", 2, "light", 1)).get("heavy"), within(0.02));
        assertThat(shares.get("heavy") + shares.get("light")).isCloseTo(1, within(1e-9));
    }

    @Test
    void startsBeforeTheFirstStartOfEveryTaskDoNotCount() {
        List<String> starts = List.of("a", "a", "a", "b", "a", "b");
        assertThat(Shares.of(firsts(starts), jobs("a", 100, "b", 100)))
                .containsExactly(entry("a", 0.5), entry("b", 0.5));
    }

    @Test
    void startsAfterTheLastStartOfATaskDoNotCount() {
        List<String> starts = List.of("a", "b", "a", "b", "b", "b", "b");
        assertThat(Shares.of(firsts(starts), jobs("a", 2, "b", 100))).containsExactly(entry("a", 1.0), entry("b", 0.0));
    }

    @Test
    void tasksOfOtherPoolsDoNotCount() {
        List<String> starts = List.of("a", "gpu", "b", "gpu", "gpu", "a", "b");
        assertThat(Shares.of(firsts(starts), jobs("a", 9, "b", 9))).containsExactly(entry("a", 0.5), entry("b", 0.5));
    }

    @Test
    void thereIsNoShareWhenTheTasksNeverCompeted() {
        assertThat(Shares.of(firsts(List.of("a", "a")), jobs("a", 2, "b", 2))).isEmpty();
        assertThat(Shares.of(List.of(), jobs("a", 2, "b", 2))).isEmpty();
    }

    @Test
    void aFurtherAttemptTakesItsTasksTurnButLeavesItsFilesWaiting() {
        List<Start> starts = List.of(
                new Start("a", true),
                new Start("b", true),
                new Start("a", false),
                new Start("b", true),
                new Start("a", true));
        assertThat(Shares.of(starts, jobs("a", 2, "b", 9)).get("a")).isCloseTo(2 / 3.0, within(1e-9));
    }

    private static List<Start> firsts(List<String> tasks) {
        return tasks.stream().map(task -> new Start(task, true)).toList();
    }

    private static Map<String, Integer> jobs(String first, int ofFirst, String second, int ofSecond) {
        Map<String, Integer> jobs = new LinkedHashMap<>();
        jobs.put(first, ofFirst);
        jobs.put(second, ofSecond);
        return jobs;
    }
}
