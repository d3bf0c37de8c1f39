package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A row of {@code limit_dat}: a limit group as one lane sees it. Its limits are the whole ones; each of several lanes uses a part of them,
 * and counts its own jobs and files.
 *
 * @param lane from 0
 * @param source where its limits come from
 * @param maxInFlight most jobs in flight; null for no such limit
 * @param maxStarts most starts within the window; null for no such limit
 * @param windowS of the starts, in seconds; null without maxStarts
 * @param inFlight jobs that are out now
 * @param starts within the window that ends now; 0 without maxStarts
 * @param waiting files in its queue; of more than a thousand sets of files, those of the first thousand
 * @param since when the lane began to show groups: what it showed before does not hold any more
 * @param deleted the group has no limit, or is unknown
 */
public record LimitRow(
        String group,
        int lane,
        Source source,
        Integer maxInFlight,
        Integer maxStarts,
        Double windowS,
        long inFlight,
        long starts,
        long waiting,
        Instant since,
        long version,
        boolean deleted)
        implements Row {

    /** Where limits come from. */
    public enum Source {
        /** A command. */
        @JsonProperty("command")
        COMMAND,
        /** The settings, for this group. */
        @JsonProperty("group")
        GROUP,
        /** The settings, for all groups of a rule. */
        @JsonProperty("rule")
        RULE
    }

    public LimitRow {
        Check.group("group", Check.required("group", group));
        Check.notNegative("lane", lane);
        if (windowS != null) {
            Check.within("window_s", windowS, 0, Task.MAX_SECONDS);
        }
        Check.notNegative("in_flight", inFlight);
        Check.notNegative("starts", starts);
        Check.notNegative("waiting", waiting);
    }
}
