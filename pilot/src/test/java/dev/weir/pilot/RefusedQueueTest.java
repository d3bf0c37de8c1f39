package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result.Outcome;
import dev.weir.testing.ScratchBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pilot at a RabbitMQ that lets it in and not at its queue, and how long that keeps what the pilot says. */
@Timeout(60)
class RefusedQueueTest {

    @TempDir
    Path temp;

    private ScratchBroker broker;
    private Rig rig;

    @BeforeEach
    void start() throws Exception {
        broker = ScratchBroker.create();
        rig = new Rig(broker, temp).withQueues();
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    @Test
    void aPilotThatTheBrokerRefusesAtEachConnectionWaitsLongerEachTimeAndGivesUpWithTheReason() throws Exception {
        PilotSettings settings =
                rig.settingsAt(Rig.broker(rig.settings("p1", false, "cpu")).url(), Duration.ofSeconds(3));
        String queue = Rig.broker(settings).jobsPrefix() + "cpu";
        try (Connection other = broker.connect()) {
            var channel = other.createChannel();
            channel.basicConsume(queue, true, "", false, true, Map.of(), new DefaultConsumer(channel));

            assertThatThrownBy(() -> rig.start(rig.pilot(settings)).get(30, TimeUnit.SECONDS))
                    .hasStackTraceContaining("no connection to")
                    .hasStackTraceContaining(queue)
                    .hasStackTraceContaining("PILOT_POOLS");
            // The longest pause is 100 ms.
            assertThat(rig.proxy.accepted()).isBetween(3, 40);
        }
    }

    @Test
    void theBrokerKeepsWhatIsSaidAboutJobsAndNotForLongThatAPilotLives() throws Exception {
        rig.hearing();
        rig.jobs.program("quick", "exit 0");
        Job job = rig.jobs.job("j1", "quick", "");
        rig.launch("p1", "cpu");
        rig.give("cpu", job);
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
        await().until(() -> rig.reports.stream().anyMatch(Heartbeat.class::isInstance));

        for (int i = 0; i < rig.reports.size(); i++) {
            Report report = rig.reports.get(i);
            boolean isPassing = report instanceof Heartbeat heartbeat && heartbeat.mayExpire();
            assertThat(rig.expirations.get(i)).as("%s", report).isEqualTo(isPassing ? "600000" : "");
        }
    }
}
