package dev.weir.connectors.rabbitmq.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.QueueSplitSerializer;
import dev.weir.connectors.rabbitmq.source.split.SeenIds;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class StateAdviceTest {

    private static final int DEFAULT_PREFETCH = 10_000;
    private static final int DEFAULT_REMEMBERED = 100_000;

    private static QueueSplit remembering(int messages) {
        return new QueueSplit(
                "q", 0, new SeenIds(Collections.nCopies(messages, new MessageKey(1, 2)), List.of(), List.of()));
    }

    @Test
    void moreThanTheJobManagersMemoryTakesIsWarnedAboutOnce() {
        StateAdvice advice = StateAdvice.of(new Configuration());
        assertThat(advice.look(List.of(remembering(150_000), remembering(150_000))))
                .isEmpty();
        List<QueueSplit> large = List.of(remembering(150_000), remembering(200_000));
        assertThat(advice.look(large))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("5600")
                        .contains("2 queues")
                        .contains("execution.checkpointing.dir", "setRememberedAcknowledged"));
        assertThat(advice.look(large)).isEmpty();
    }

    @Test
    void whoKeepsCheckpointsElsewhereIsNotWarned() {
        Configuration directory = new Configuration();
        directory.setString("execution.checkpointing.dir", "file:///checkpoints");
        Configuration storage = new Configuration();
        storage.setString("execution.checkpointing.storage", "filesystem");
        assertThat(List.of(directory, storage))
                .allMatch(flink -> StateAdvice.of(flink)
                        .look(List.of(remembering(400_000)))
                        .isEmpty());
    }

    /** Every queue remembers as many acknowledged messages as it may, and lost and delivered ones; after several restores. */
    @Test
    void byDefaultTheIdsOfSevenQueuesAlwaysFitIntoTheJobManagersMemory() {
        int queues = 7;
        SeenMessages seen = new SeenMessages(DEFAULT_PREFETCH, DEFAULT_REMEMBERED / queues, SeenIds.NONE);
        for (int round = 1; round <= 5; round++) {
            fill(seen, round, DEFAULT_PREFETCH);
            seen.bind(round);
            seen.complete(round, round % 2 == 0 ? round : SeenMessages.NO_CHANNEL);
            fill(seen, round + 100, DEFAULT_PREFETCH);
            seen = new SeenMessages(DEFAULT_PREFETCH, DEFAULT_REMEMBERED / queues, seen.snapshot());
        }
        fill(seen, 1_000, DEFAULT_PREFETCH);
        SeenIds ids = seen.snapshot();
        assertThat(ids.acknowledged()).hasSize(DEFAULT_REMEMBERED / queues);
        assertThat(ids.owed()).hasSize(2 * DEFAULT_PREFETCH);
        assertThat(ids.delivered()).hasSize(DEFAULT_PREFETCH);
        long bytes = new QueueSplitSerializer().serialize(new QueueSplit("some-queue", 0, ids)).length;
        assertThat(queues * bytes).isLessThan(StateAdvice.MOST_BYTES);
    }

    private static void fill(SeenMessages seen, int channel, int messages) {
        IntStream.range(0, messages).forEach(n -> seen.add(new MessageKey(channel, n), channel));
    }
}
