package dev.weir.gateway.pilots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.broker.BrokerAway;
import dev.weir.gateway.broker.Link;
import dev.weir.gateway.broker.Notices;
import dev.weir.gateway.broker.ScriptedBroker;
import dev.weir.protocol.Json;
import dev.weir.protocol.PopRequest;
import dev.weir.protocol.ReportRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PilotDeskTest {

    private static final String REPORT = """
            {"pilot_id": "p", "reports": [{"type": "status", "pilot_id": "p", "pool": "cpu", "job_uid": "j",
             "attempt": 1, "route": "0/0/t", "status": "starting"}]}""";

    /** They need no channel, and a busy pilot has such a request open all the time. */
    @Test
    void pilotsThatWaitForNoticesTakeNoPlaceOfThoseThatWaitForJobs() {
        ScriptedBroker broker = new ScriptedBroker();
        CountDownLatch answers = new CountDownLatch(1);
        Notices notices = new Notices();
        try (Link link = broker.link(notices);
                PilotDesk desk = new PilotDesk(link, notices, Duration.ofMinutes(1), new SimpleMeterRegistry())) {
            await().until(() -> link.trouble().isEmpty());
            broker.on("queueBind", answers::await);
            for (int i = 0; i < PilotDesk.MOST; i++) {
                var unused = desk.pop(new PopRequest("busy" + i, List.of(), 60.0));
            }
            for (int i = 0; i < PilotDesk.MOST; i++) {
                var unused = desk.pop(new PopRequest("idle" + i, List.of("cpu"), 60.0));
            }

            assertThatThrownBy(() -> desk.pop(new PopRequest("late", List.of("cpu"), 60.0)))
                    .isInstanceOf(TooManyWait.class)
                    .hasMessageContaining("wait for jobs");
        } finally {
            answers.countDown();
        }
    }

    @Test
    void whileTheBrokerDoesNotAnswerOnlySoManyReportsWait() {
        ScriptedBroker broker = new ScriptedBroker();
        CountDownLatch answers = new CountDownLatch(1);
        Notices notices = new Notices();
        ReportRequest report = Json.read(REPORT.getBytes(StandardCharsets.UTF_8), ReportRequest.class);
        try (Link link = broker.link(notices);
                PilotDesk desk = new PilotDesk(link, notices, Duration.ofMinutes(1), new SimpleMeterRegistry())) {
            await().until(() -> link.trouble().isEmpty());
            broker.on("queueBind", answers::await);
            for (int i = 0; i < PilotDesk.WORKERS + PilotDesk.MOST_REPORT; i++) {
                assertThat(desk.report(report)).isNotDone();
            }

            assertThatThrownBy(desk.report(report)::join)
                    .hasCauseInstanceOf(BrokerAway.class)
                    .hasMessageContaining("reports wait for the broker");
        } finally {
            answers.countDown();
        }
    }
}
