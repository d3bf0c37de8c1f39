package dev.weir.simulator.scenario;

import dev.weir.protocol.FileInfo;
import java.util.List;

/**
 * A dataset as DSM has it.
 *
 * @param files in DSM's stable order
 * @param groups for each file the limit groups that must allow it, from its URL, its own list and its task
 * @param quirk how DSM misbehaves about it
 */
public record DatasetPlan(String uid, List<FileInfo> files, List<List<String>> groups, Quirk quirk) {

    /** What is wrong with a dataset. */
    public enum Quirk {
        NONE,
        /** 404: its task is rejected. */
        MISSING,
        /** DSM's answer can't be understood: its task fails. */
        GARBAGE,
        /** The total changes between pages: its task fails, once it is noticed. */
        CHANGED_TOTAL,
        /** A page is empty before the total is reached: its task fails. */
        EMPTY_PAGE,
        /** DSM ignores offset and limit and gives everything. */
        WHOLE,
        /** Pages have fewer files than asked for. */
        SHORT_PAGES
    }

    /** Whether the task of this dataset can be processed to its end. */
    public boolean isReadable() {
        return quirk == Quirk.NONE || quirk == Quirk.WHOLE || quirk == Quirk.SHORT_PAGES;
    }
}
