package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.embedded.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Debian's Prometheus with the alert rules of {@code flink-conf/}, without their pauses, at the metrics of a running Flink. */
final class RealPrometheus implements AutoCloseable {

    private static final int STOP_SECONDS = 20;
    private static final Path RULES = Path.of("../flink-conf/alerts.yml");

    private final Process process;
    private final int port = FreePort.any();

    /** The program; empty where it is not installed. */
    static Optional<Path> program() {
        String tool = System.getenv("WEIR_PROMTOOL");
        Path program = Path.of(tool == null || tool.isEmpty() ? "/usr/bin/promtool" : tool)
                .resolveSibling("prometheus");
        return Optional.of(program).filter(Files::isExecutable);
    }

    RealPrometheus(Path program, Path directory, int metricsPort) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(
                directory.resolve("alerts.yml"), Files.readString(RULES).replaceAll("(?m)^ +for: .*\\R", ""));
        Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [alerts.yml]
                scrape_configs:
                  - job_name: weir
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """.formatted(metricsPort));
        process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + directory.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private JsonNode ask(String path) throws IOException {
        try (InputStream answer = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path)
                .toURL()
                .openStream()) {
            return GatewayClient.JSON.readTree(answer).path("data");
        }
    }

    /** Whether there is a metric now that an expression selects. */
    boolean knows(String expression) throws IOException {
        return !ask("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("result")
                .isEmpty();
    }

    /** What the rules say of Flink's jobs by their names. */
    static Set<String> jobsInRules() throws IOException {
        return Pattern.compile("\\w+\\{job_name[^}]*}")
                .matcher(Files.readString(RULES))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names of the alerts that fire now. */
    Set<String> firing() throws IOException {
        Set<String> names = new TreeSet<>();
        for (JsonNode alert : ask("alerts").path("alerts")) {
            if (alert.path("state").asText().equals("firing")) {
                names.add(alert.at("/labels/alertname").asText());
            }
        }
        return names;
    }

    /** Rules whose last evaluation was no success, or that have had none. */
    Set<String> unhealthy() throws IOException {
        Set<String> names = new TreeSet<>();
        for (JsonNode group : ask("rules").path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                if (!rule.path("health").asText().equals("ok")) {
                    names.add(rule.path("name").asText());
                }
            }
        }
        return names;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
