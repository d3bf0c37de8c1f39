package dev.weir.protocol.queue;

import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import java.util.List;

/**
 * Answers on their way to the gateway that asked.
 *
 * @param answers in the order in which they were made, 1 to {@link QueueLimits#MAX_ENTRIES}
 */
public record QueueAnswers(List<QueueAnswer> answers) {

    public QueueAnswers {
        answers = Check.copied("answers", Check.required("answers", answers));
        if (answers.isEmpty() || answers.size() > QueueLimits.MAX_ENTRIES) {
            throw new InvalidMessage(
                    "answers", "answers must be 1 to " + QueueLimits.MAX_ENTRIES + ", got " + answers.size());
        }
    }
}
