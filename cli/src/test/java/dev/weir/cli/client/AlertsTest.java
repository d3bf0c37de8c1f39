package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.weir.job.start.StartFrom;
import dev.weir.protocol.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Prometheus that watches a running Weir says what is wrong, and no more. */
@Timeout(240)
class AlertsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void troubleOfARunningWeirFiresItsAlertsAndNoOthers() throws Exception {
        Optional<Path> program = RealPrometheus.program();
        Assumptions.assumeTrue(program.isPresent(), "there is no Prometheus on this machine");
        LocalSite site = new LocalSite(directory.resolve("site"), StartFrom.NEWEST);
        try (site;
                RealPrometheus prometheus =
                        new RealPrometheus(program.get(), directory.resolve("prometheus"), site.metricsPort())) {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(prometheus.unhealthy()).isEmpty());
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(prometheus.firing()).isEmpty());

            site.dataset(3);
            site.weir("task", "send", site.task("t1", 0).toString(), "--wait", "60");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(prometheus.firing()).containsExactly("FilesWithoutPilots"));
            site.pilot("p1");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(prometheus.firing()).doesNotContain("FilesWithoutPilots"));

            sendGarbage(site);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(prometheus.firing()).contains("MessagesRejected"));

            site.weir.abandonJobs();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(prometheus.firing()).contains("SchedulerSilent"));
        }
    }

    private static void sendGarbage(LocalSite site) throws Exception {
        ConnectionFactory broker = new ConnectionFactory();
        broker.setUri(site.weir.broker().uri());
        try (Connection connection = broker.newConnection()) {
            connection.createChannel().basicPublish("", Names.TASKS, null, "no task".getBytes(StandardCharsets.UTF_8));
        }
    }
}
