package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cli.Weir;
import dev.weir.cli.embedded.DataDirectory;
import dev.weir.cli.embedded.FreePort;
import dev.weir.cli.embedded.LocalPorts;
import dev.weir.cli.embedded.LocalWeir;
import dev.weir.cli.embedded.PilotProcesses;
import dev.weir.job.start.StartFrom;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;

/** A complete local Weir, as {@code ./weir up} has it, with a dataset, a program that fails at one of its files, and the commands. */
public final class LocalSite implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    public final DataDirectory data;
    public final LocalWeir weir;
    private final PilotProcesses pilots;
    private final int metricsPort;

    /** Starts all but pilots, whose processes begin with {@link #pilot}. */
    public LocalSite(Path directory, StartFrom from) throws IOException {
        this(directory, from, FreePort.any());
    }

    /** @param metricsPort where Flink serves its metrics */
    LocalSite(Path directory, StartFrom from, int metricsPort) throws IOException {
        data = DataDirectory.open(directory);
        this.metricsPort = metricsPort;
        Configuration settings = new Configuration();
        settings.set(MetricOptions.REPORTERS_LIST, "prom");
        settings.setString("metrics.reporter.prom.factory.class", PrometheusReporterFactory.class.getName());
        settings.setString("metrics.reporter.prom.port", String.valueOf(metricsPort));
        weir = LocalWeir.start(data, LocalPorts.ANY, settings, from);
        pilots = new PilotProcesses(
                weir.broker().uri(),
                directory.resolve("pilots"),
                data.logs(),
                List.of(data.executables()),
                List.of(data.datasets(), data.storage()));
        weir.startJobs(job -> "");
    }

    /** What a command printed, and its exit code. */
    public record Said(int exit, String text) {}

    /** Runs a command that asks the gateway. */
    public Said weir(String... words) {
        List<String> line = new ArrayList<>(List.of(words));
        line.add("--access");
        line.add(data.gatewayAccessFile().toString());
        StringWriter said = new StringWriter();
        int exit = Weir.commandLine()
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage());
                    return 1;
                })
                .execute(line.toArray(String[]::new));
        return new Said(exit, said.toString());
    }

    /** The answer of the gateway to an operator; any but success is an error. */
    public JsonNode ask(String method, String path, String body) throws IOException {
        Access access = Access.find(Map.of(), data.gatewayAccessFile());
        HttpRequest request = HttpRequest.newBuilder(access.gateway().resolve(path))
                .header("authorization", "Bearer " + access.token())
                .header("content-type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode())
                    .as("%s %s: %s", method, path, answer.body())
                    .isBetween(200, 201);
            return new ObjectMapper().readTree(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Runs a command again and again until it prints this. */
    public void awaitText(String text, String... words) {
        await().atMost(PATIENCE).until(() -> weir(words).text(), said -> said.contains(text));
    }

    /** A pilot of the pool cpu. */
    public void pilot(String id) throws IOException {
        pilots.start(id, List.of("cpu"), "CPU");
    }

    /** The dataset {@code in}: file-0, file-1 with one line, at which the program count fails, and so on. */
    public void dataset(int files) throws Exception {
        Path inputs = Files.createDirectories(data.datasets().resolve("in"));
        for (int i = 0; i < files; i++) {
            Files.writeString(inputs.resolve("file-" + i), "line\n".repeat(i));
        }
        weir.dsm().addDirectory("in", inputs, (done, ofFiles, bytes) -> {});
        Path program = Files.createDirectories(data.executables()).resolve("count");
        Files.writeString(program, """
                #!/bin/sh
                lines=$(wc -l <"$1")
                [ "$lines" != 1 ] || { echo cannot count this; exit 7; }
                echo "$lines" >"$2"
                """);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    /** A file with a task that counts the lines of dataset {@code in}, and tries a failed file so often again. */
    public Path task(String uid, int retry) throws IOException {
        return Files.writeString(
                data.root().resolve(uid + ".json"), """
                {"uid": "%s", "executable": "count", "args": "{file_in} {file_out}", "device_type": "CPU", "mode": "Map", "owner": "anna", "retry": %d,
                 "dat_in_uid": "in", "dat_out_uid": "%s.out", "dat_stor_url": "file://%s", "dat_out_url": "%s.out"}
                """.formatted(uid, retry, uid, data.storage(), uid));
    }

    /** Names of all metrics that Flink serves now. */
    public Set<String> metrics() throws IOException {
        try (InputStream served = URI.create("http://127.0.0.1:" + metricsPort + "/metrics")
                .toURL()
                .openStream()) {
            return new String(served.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("[{ ]", 2)[0])
                    .collect(Collectors.toSet());
        }
    }

    @Override
    public void close() throws Exception {
        try (data;
                weir;
                pilots) {
            // In the opposite order.
        }
    }
}
