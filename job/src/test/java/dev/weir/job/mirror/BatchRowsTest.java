package dev.weir.job.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.wire.Outbound;
import dev.weir.job.wire.OutboundSerializer;
import dev.weir.protocol.Device;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.Json;
import dev.weir.protocol.MirrorBatch;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchRowsTest {

    private static final long DELAY_MILLIS = 100;

    private OneInputStreamOperatorTestHarness<Row, Outbound> harness;

    @BeforeEach
    void open() throws Exception {
        harness = new OneInputStreamOperatorTestHarness<>(new BatchRows("mirror", 3, Duration.ofMillis(DELAY_MILLIS)));
        harness.setup(OutboundSerializer.INSTANCE);
        harness.open();
        harness.setProcessingTime(1);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void rowsWaitForOthersButNoLongerThanTheDelay() throws Exception {
        write("a", 1);
        write("b", 1);
        assertThat(sent()).isEmpty();

        harness.setProcessingTime(1 + DELAY_MILLIS);

        assertThat(sent()).hasSize(1);
        assertThat(sent().get(0).rows()).hasSize(2);
    }

    @Test
    void aFullBatchLeavesAtOnce() throws Exception {
        write("a", 1);
        write("b", 1);
        write("c", 1);
        write("d", 1);

        assertThat(sent()).hasSize(1);
        assertThat(sent().get(0).rows()).hasSize(3);
    }

    @Test
    void ofSeveralChangesOfARowOnlyTheNewestIsSentInAnyOrder() throws Exception {
        write("a", 2);
        write("a", 3);
        write("a", 1);
        harness.setProcessingTime(1 + DELAY_MILLIS);

        assertThat(sent().get(0).rows()).extracting(Row::version).containsExactly(3L);
    }

    @Test
    void theBatchLeavesBeforeACheckpointBecauseTheOperatorHasNoState() throws Exception {
        write("a", 1);
        harness.prepareSnapshotPreBarrier(1);

        assertThat(sent()).hasSize(1);
    }

    @Test
    void largeRowsLeaveInMessagesThatTheProtocolAllows() throws Exception {
        BatchRows many = new BatchRows("mirror", 500, Duration.ofMillis(DELAY_MILLIS));
        try (var wide = new OneInputStreamOperatorTestHarness<Row, Outbound>(many)) {
            wide.setup(OutboundSerializer.INSTANCE);
            wide.open();
            for (int i = 0; i < 500; i++) {
                wide.processElement(rowWithLongPath("file-" + i), 0);
            }
            wide.setProcessingTime(1 + DELAY_MILLIS);

            List<MirrorBatch> batches = read(wide);
            assertThat(batches).hasSizeGreaterThan(1);
            assertThat(batches.stream().mapToInt(b -> b.rows().size()).sum()).isEqualTo(500);
        }
    }

    private void write(String pilot, long version) throws Exception {
        harness.processElement(row(pilot, version), 0);
    }

    private static Row row(String pilot, long version) {
        return new PilotRow(
                pilot, "cpu", Device.CPU, null, null, null, null, null, null, 0, 0, null, null, null, version, false);
    }

    private static Row rowWithLongPath(String id) {
        String path = "p".repeat(4000);
        return new FileRow(
                id,
                "t",
                "j",
                1,
                "out",
                FileRow.Kind.OUTPUT,
                FileRow.Status.FINISHED,
                path,
                null,
                null,
                null,
                null,
                1,
                false);
    }

    private List<MirrorBatch> sent() {
        return read(harness);
    }

    /** Reads what was sent as the mirror job does, which also checks the size of each message. */
    private static List<MirrorBatch> read(OneInputStreamOperatorTestHarness<Row, Outbound> from) {
        return from.extractOutputValues().stream()
                .map(message -> Json.read(message.body(), MirrorBatch.class))
                .toList();
    }
}
