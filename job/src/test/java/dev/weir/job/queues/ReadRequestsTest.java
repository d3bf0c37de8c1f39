package dev.weir.job.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.intake.Rejections;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.InboundSerializer;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueMessage;
import dev.weir.protocol.queue.QueueRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadRequestsTest {

    private static final String GATEWAY = "gateway-7c1f";

    private OneInputStreamOperatorTestHarness<Inbound, Inbound> harness;

    @BeforeEach
    void open() throws Exception {
        harness = new OneInputStreamOperatorTestHarness<>(
                new ProcessOperator<>(new ReadRequests(new Rejections(Names.REJECTED))));
        harness.setup(InboundSerializer.INSTANCE);
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private static List<QueueEntry> entries(int count) {
        return LongStream.range(0, count)
                .<QueueEntry>mapToObj(n -> new QueueEntry.Show(n, "scans", "key-" + n, 0))
                .toList();
    }

    private List<Inbound> passedOn(byte[] body) throws Exception {
        harness.processElement(Inbound.arrived(Kind.QUEUE_REQUEST_AGAIN, Names.ITEMS, 7, body), 7);
        return harness.extractOutputValues();
    }

    private List<Inbound> passedOn(int entries) throws Exception {
        return passedOn(Json.write(new QueueRequest(GATEWAY, entries(entries))));
    }

    @Test
    void aLargeRequestBecomesSeveralInOrderAndNothingOfItIsLost() throws Exception {
        List<QueueEntry> all = new ArrayList<>();
        for (Inbound part : passedOn(1_000)) {
            QueueRequest request = (QueueRequest) Json.readKept(part.body(), QueueMessage.class);
            assertThat(request.gateway()).isEqualTo(GATEWAY);
            assertThat(request.entries()).hasSizeBetween(1, 32);
            assertThat(List.of(part.kind(), part.queue(), part.receivedAtMillis()))
                    .as("each part came as the whole did")
                    .isEqualTo(List.of(Kind.QUEUE_REQUEST_AGAIN, Names.ITEMS, 7L));
            all.addAll(request.entries());
        }

        assertThat(all).isEqualTo(entries(1_000));
    }

    @Test
    void aSmallRequestStaysWhole() throws Exception {
        assertThat(passedOn(32)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'push','n':0,'queue':'q','item':{'key':'a\\ud800'}}",
                "{'type':'push','n':0,'queue':'q','item':{'key':'a','payload':['\\ud800']}}",
                "{'type':'push','n':0,'queue':'q','item':{'key':'a','groups':['\\udc00']}}",
                "{'type':'done','n':0,'token':'t','end':'finished','result':'\\ud800x'}"
            })
    void halfASurrogatePairIsRejectedInsteadOfStoppingTheJobThatCouldNotWriteIt(String entry) throws Exception {
        String entries = String.join(",", Collections.nCopies(33, entry));
        String request = "{'type':'request','gateway':'g','entries':[" + entries + "]}";

        assertThat(passedOn(request.replace('\'', '"').getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(harness.getSideOutput(Rejections.TAG)).hasSize(1);
    }

    @Test
    void whatIsNoRequestIsRejected() throws Exception {
        assertThat(passedOn("{}".getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(harness.getSideOutput(Rejections.TAG)).hasSize(1);
    }
}
