package dev.weir.chaos.world;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.chaos.plan.Target;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How Weir's processes are, without asking Weir.
 *
 * @param heapMb live objects of each process in MiB, after a full collection
 * @param residentMb all memory of each process in MiB; empty where /proc is not
 * @param failures of Flink's jobs since their start, each of which was a restart
 */
public record Vitals(
        @JsonProperty("heap_mb") Map<String, Double> heapMb,
        @JsonProperty("resident_mb") Map<String, Double> residentMb,
        int failures) {

    private static final double MIB = 1024.0 * 1024.0;
    private static final int MOST_FAILURES = 1000;
    private static final ObjectMapper JSON = new ObjectMapper();

    public Vitals {
        heapMb = Map.copyOf(heapMb);
        residentMb = Map.copyOf(residentMb);
    }

    /** Stops each process for a moment. */
    static Vitals of(Flink flink) throws IOException, InterruptedException {
        Map<String, Double> heap = new TreeMap<>();
        Map<String, Double> resident = new TreeMap<>();
        for (Target target : flink.targets()) {
            Optional<ProcessHandle> process = flink.process(target);
            if (process.isPresent()) {
                long pid = process.get().pid();
                heap.put(target.toString(), heap(pid));
                resident(pid).ifPresent(mb -> resident.put(target.toString(), mb));
            }
        }
        return new Vitals(heap, resident, failures(flink.rest()));
    }

    /** A class histogram counts live objects only, so it collects before; its last line is the sum. */
    private static double heap(long pid) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String total = said.lines()
                .filter(line -> line.startsWith("Total"))
                .findFirst()
                .orElseThrow(() -> new IOException("jcmd says nothing of the heap of process " + pid + ": " + said));
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd failed for process " + pid + ": " + said);
        }
        return mib(Long.parseLong(total.strip().split("\\s+")[2]));
    }

    private static Optional<Double> resident(long pid) throws IOException {
        Path status = Path.of("/proc", String.valueOf(pid), "status");
        if (!Files.isReadable(status)) {
            return Optional.empty();
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> mib(1024 * Long.parseLong(line.split("\\s+")[1])))
                .findFirst();
    }

    private static double mib(long bytes) {
        return Math.round(bytes / MIB * 10) / 10.0;
    }

    private static int failures(URI rest) throws IOException, InterruptedException {
        int failures = 0;
        for (JsonNode job : ask(rest.resolve("jobs")).path("jobs")) {
            String path = "jobs/" + job.path("id").asText() + "/exceptions?maxExceptions=" + MOST_FAILURES;
            failures += ask(rest.resolve(path))
                    .path("exceptionHistory")
                    .path("entries")
                    .size();
        }
        return failures;
    }

    private static JsonNode ask(URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).build();
        return JSON.readTree(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body());
    }
}
