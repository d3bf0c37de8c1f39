package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cli.embedded.FreePort;
import dev.weir.job.start.StartFrom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Prometheus that watches a running Weir says what is wrong, and no more. */
@Timeout(420)
class AlertsTest {

    /** Metrics of a lane in which nothing happens are looked at once a minute. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    /** A counter stays above 0 until its process ends, so an alert on its value would never end. */
    @Test
    void alertsOnACounterLookAtItsIncrease() throws Exception {
        Set<String> counters = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("../job/src/main/java"))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                Matcher counter = Pattern.compile("\\.counter\\(\"(\\w+)\"\\)").matcher(Files.readString(source));
                counter.results().forEach(found -> counters.add(found.group(1)));
            }
        }
        assertThat(counters).contains("failed_ticks");
        String rules = Files.readString(Path.of("../flink-conf/alerts.yml"));
        for (String counter : counters) {
            String metric = "flink_taskmanager_job_task_operator_" + counter;
            String others = rules.replaceAll("increase\\(" + metric + "\\[\\d+[mh]]\\)", "");
            assertThat(others.contains(metric)).as(counter).isFalse();
        }
    }

    @Test
    void troubleOfARunningWeirFiresItsAlertsAndNoOthers() throws Exception {
        Optional<Path> program = RealPrometheus.program();
        Assumptions.assumeTrue(program.isPresent(), "there is no Prometheus on this machine");
        int port = FreePort.any();
        try (RealPrometheus prometheus = new RealPrometheus(program.get(), directory.resolve("prometheus"), port)) {
            try (LocalSite site = new LocalSite(directory.resolve("site"), StartFrom.NEWEST, port)) {
                await().atMost(PATIENCE)
                        .ignoreExceptions()
                        .untilAsserted(() -> assertThat(prometheus.unhealthy()).isEmpty());
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(prometheus.firing()).isEmpty());
                assertThat(RealPrometheus.jobsInRules()).hasSize(2);
                for (String job : RealPrometheus.jobsInRules()) {
                    await(job).atMost(PATIENCE).until(() -> prometheus.knows(job));
                }

                site.dataset(3);
                site.weir("task", "send", site.task("t1", 0).toString(), "--wait", "60");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(prometheus.firing()).containsExactly("FilesWithoutPilots"));
                site.pilot("p1");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(prometheus.firing()).isEmpty());
                site.weir.abandonJobs();
            }
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(prometheus.firing()).containsExactly("SchedulerSilent", "TargetDown"));
        }
    }
}
