package dev.weir.chaos;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.chaos.plan.Step;
import java.util.List;

/**
 * What came of the faults that began at one moment; times in seconds.
 *
 * @param at when they began, after the start of the load
 * @param away from their begin until all was back
 * @param dispatchAgain from then until Weir had sent a further job; null if that took too long
 * @param itemsAgain from then until a worker had a further item of a queue; null if that took too long
 * @param longestGap without a new job at any pilot, from the begin of the faults until jobs came again
 * @param jobsKnown jobs that the broker or a pilot may have had when the faults began: so many new attempts say nothing of Weir
 * @param attemptsMeanwhile new jobs that pilots got while the faults lasted
 * @param itemsMeanwhile items that workers got while the faults lasted
 * @param endedByThemselves processes that had ended although nobody had killed them, and were started again
 */
record StepResult(
        int number,
        List<String> faults,
        boolean again,
        @JsonProperty("at_s") double at,
        @JsonProperty("away_s") double away,
        @JsonProperty("dispatch_again_s") Double dispatchAgain,
        @JsonProperty("items_again_s") Double itemsAgain,
        @JsonProperty("longest_gap_s") double longestGap,
        @JsonProperty("jobs_known") int jobsKnown,
        @JsonProperty("attempts_meanwhile") int attemptsMeanwhile,
        @JsonProperty("items_meanwhile") int itemsMeanwhile,
        @JsonProperty("ended_by_themselves") List<String> endedByThemselves) {

    static StepResult of(
            Step step,
            double at,
            double away,
            Double dispatchAgain,
            Double itemsAgain,
            double longestGap,
            int jobsKnown,
            int attempts,
            int items,
            List<String> ended) {
        return new StepResult(
                step.number(),
                step.faults().stream().map(Object::toString).toList(),
                step.again(),
                rounded(at),
                rounded(away),
                dispatchAgain == null ? null : rounded(dispatchAgain),
                itemsAgain == null ? null : rounded(itemsAgain),
                rounded(longestGap),
                jobsKnown,
                attempts,
                items,
                List.copyOf(ended));
    }

    static double rounded(double seconds) {
        return Math.round(seconds * 10) / 10.0;
    }

    /** In one line, for people. */
    String line() {
        return "  all back after " + away + " s, " + attemptsMeanwhile + " jobs and " + itemsMeanwhile
                + " items meanwhile; "
                + (dispatchAgain == null ? "NO JOB since" : "jobs again " + dispatchAgain + " s later")
                + (itemsAgain == null ? ", NO ITEM since" : ", items " + itemsAgain + " s later")
                + ", longest gap " + longestGap + " s"
                + (endedByThemselves.isEmpty() ? "" : "; ended by themselves: " + endedByThemselves);
    }
}
