package dev.weir.connectors.rabbitmq.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

/** What a writer that publishes on commit hands to the checkpoint. */
class OnCommitWriterTest {

    /** What a hundred of the messages weigh. */
    private static final int MOST_BYTES = (int) (100 * message("m000").weight());

    private final PublisherMetrics metrics = PublisherMetrics.detached(new UnregisteredMetricsGroup());
    private final List<Long> pauses = new ArrayList<>();
    private final OnCommitWriter<String> writer = writer(true);

    private OnCommitWriter<String> writer(boolean restored) {
        return new OnCommitWriter<>(
                new Routing<>(OnCommitWriterTest::message, Refused.fail(), metrics),
                MOST_BYTES,
                metrics,
                restored,
                pauses::add);
    }

    private static AmqpMessage message(String text) {
        return AmqpMessage.persistent("", "any", text.substring(0, 1), text.getBytes(UTF_8));
    }

    private static List<String> numbered(int from, int to) {
        return IntStream.range(from, to).mapToObj("m%03d"::formatted).toList();
    }

    private static void write(OnCommitWriter<String> writer, List<String> texts) throws Exception {
        for (String text : texts) {
            writer.write(text, null);
        }
    }

    private static List<String> texts(Collection<MessageBatch> batches) {
        return batches.stream()
                .flatMap(batch -> batch.messages().stream())
                .map(message -> new String(message.body(), UTF_8))
                .toList();
    }

    @Test
    void whatIsTakenOverGoesFirstAndOnlyOnce() throws Exception {
        writer.takeOver(List.of(message("a"), message("b")));
        writer.takeOver(List.of(message("c")));
        writer.write("d", null);
        assertThat(texts(writer.prepareCommit())).containsExactly("a", "b", "c", "d");
        assertThat(writer.snapshotState(1)).isEmpty();
        writer.write("e", null);
        assertThat(texts(writer.prepareCommit())).containsExactly("e");
    }

    @Test
    void withinItsLimitItTakesRecordsWithoutAPause() throws Exception {
        write(writer, numbered(0, 100));
        assertThat(pauses).isEmpty();
        writer.prepareCommit();
        write(writer, numbered(0, 100));
        assertThat(pauses).isEmpty();
    }

    @Test
    void beyondItsLimitItTakesAsMuchAgainInAMinuteInsteadOfFailing() throws Exception {
        write(writer, numbered(0, 400));
        assertThat(pauses.stream().mapToLong(nanos -> nanos).sum())
                .isCloseTo(3 * OnCommitWriter.NANOS_PER_LIMIT, within(OnCommitWriter.NANOS_PER_LIMIT / 50));
    }

    @Test
    void noCheckpointGetsMoreThanTheLimitAndTheRestIsInTheWritersStateInItsOrder() throws Exception {
        write(writer, numbered(0, 250));
        assertThat(texts(writer.prepareCommit())).isEqualTo(numbered(0, 100));
        List<MessageBatch> state = writer.snapshotState(1);
        assertThat(texts(state)).isEqualTo(numbered(100, 250));

        OnCommitWriter<String> restored = writer(true);
        state.forEach(batch -> restored.takeOver(batch.messages()));
        assertThat(texts(restored.prepareCommit())).isEqualTo(numbered(100, 200));
        write(restored, numbered(250, 260));
        assertThat(texts(restored.prepareCommit())).isEqualTo(numbered(200, 260));
        assertThat(restored.snapshotState(2)).isEmpty();
    }

    @Test
    void aMessageLargerThanTheLimitGoesAlone() throws Exception {
        write(writer, List.of("x".repeat(MOST_BYTES), "small"));
        assertThat(texts(writer.prepareCommit())).singleElement().asString().startsWith("xx");
        assertThat(texts(writer.prepareCommit())).containsExactly("small");
    }

    @Test
    void noPauseIsLongerThanThatForTheWholeLimit() throws Exception {
        write(writer, List.of("x".repeat(3 * MOST_BYTES)));
        assertThat(pauses).as("nothing else waits").isEmpty();
        write(writer, List.of("x".repeat(3 * MOST_BYTES)));
        assertThat(pauses).containsExactly(OnCommitWriter.NANOS_PER_LIMIT);
    }

    @Test
    void atTheEndOfTheInputAllOfItIsHandedOver() throws Exception {
        write(writer, numbered(0, 250));
        writer.flush(true);
        assertThat(texts(writer.prepareCommit())).isEqualTo(numbered(0, 250));
    }

    @Test
    void ifNoCheckpointEverCameItFailsAtTwiceTheLimitAndDoesNotOnlyAdviseMoreCheckpoints() throws Exception {
        OnCommitWriter<String> fresh = writer(false);
        write(fresh, numbered(0, 200));
        assertThatThrownBy(() -> write(fresh, numbered(200, 203)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("More than twice " + MOST_BYTES + " bytes")
                .hasMessageContaining("In Flink's BATCH mode none ever comes")
                .hasMessageContaining("raise setMaxHeldBytes, use Publishing.AT_ONCE");
        OnCommitWriter<String> withCheckpoints = writer(false);
        withCheckpoints.prepareCommit();
        write(withCheckpoints, numbered(0, 400));
        assertThat(texts(withCheckpoints.prepareCommit())).hasSize(100);
    }
}
