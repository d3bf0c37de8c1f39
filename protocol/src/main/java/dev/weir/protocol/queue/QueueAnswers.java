package dev.weir.protocol.queue;

import dev.weir.protocol.Check;
import java.util.List;

/**
 * Answers on their way to the gateway that asked.
 *
 * @param answers in the order in which they were made, at least one
 */
public record QueueAnswers(List<QueueAnswer> answers) {

    public QueueAnswers {
        answers = Check.copied("answers", Check.required("answers", answers));
    }
}
