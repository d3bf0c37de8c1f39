package dev.weir.connectors.rabbitmq.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

/** What a writer that publishes on commit hands to the checkpoint. */
class OnCommitWriterTest {

    private static final int MOST_BYTES = 1_000;

    private final PublisherMetrics metrics = PublisherMetrics.detached(new UnregisteredMetricsGroup());
    private final OnCommitWriter<String> writer = new OnCommitWriter<>(
            new Routing<>(OnCommitWriterTest::message, Refused.fail(), metrics), MOST_BYTES, metrics);

    private static AmqpMessage message(String text) {
        return AmqpMessage.persistent("", "any", text, text.getBytes(UTF_8));
    }

    private List<String> handedOver() {
        return writer.prepareCommit().stream()
                .flatMap(batch -> batch.messages().stream())
                .map(message -> new String(message.body(), UTF_8))
                .toList();
    }

    @Test
    void whatIsTakenOverGoesFirstAndOnlyOnce() throws IOException {
        writer.takeOver(List.of(message("a"), message("b")));
        writer.takeOver(List.of(message("c")));
        writer.write("d", null);
        assertThat(handedOver()).containsExactly("a", "b", "c", "d");
        assertThat(writer.snapshotState(1)).isEmpty();
        writer.write("e", null);
        assertThat(handedOver()).containsExactly("e");
    }

    @Test
    void whatIsTakenOverLeavesRoomForWhatIsNew() throws IOException {
        writer.takeOver(Stream.generate(() -> message("old")).limit(MOST_BYTES).toList());
        writer.write("new", null);
        assertThat(handedOver()).hasSize(MOST_BYTES + 1);
    }
}
